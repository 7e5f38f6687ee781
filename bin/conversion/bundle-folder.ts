// A bundle that is converted from a folder: its files are written beside the others, and appear
// under its name when they are whole.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { manifestFile } from '../../models/bundles/installed.ts';
import { manifestSchema, type Manifest } from '../../models/bundles/manifest.ts';
import { manifests } from '../../models/bundles/manifests.ts';
import { sha256OfFile } from '../../models/bundles/store.ts';
import { ConversionError } from './model-file.ts';

/** What a converter has written, as its manifest says it. */
export interface BundleContent {
  readonly family: Manifest['family'];
  readonly fields: Readonly<Record<string, unknown>>;
  /** Sentences of the card. */
  readonly description: readonly string[];
}

export interface BundleSource {
  /** What the files are, such as ggml. */
  readonly format: string;
  /** Paths of the published files. */
  readonly files: readonly string[];
  /** A folder that may state the licence. */
  readonly folder: string;
}

const cardFile = 'card.md';

/**
 * @param write fills the folder that it is given
 * @throws ConversionError where the name is taken, or cannot be one
 */
export async function installBundle(
  modelsDirectory: string,
  name: string,
  source: BundleSource,
  write: (folder: string) => BundleContent | Promise<BundleContent>,
): Promise<Manifest> {
  requireName(name);
  mkdirSync(modelsDirectory, { recursive: true });
  // In the same folder as its target, so that the last step is a rename.
  const temporary = mkdtempSync(join(modelsDirectory, '.pull-'));
  // Other users may read it: inference processes are one.
  const work = join(temporary, name);
  mkdirSync(work);
  try {
    const content = await write(work);
    const files = await hashed(source.files);
    const revision = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12);
    const license = licenceOf(source.folder);
    const head = { name, family: content.family, revision, license };
    writeFileSync(join(work, cardFile), cardOf(head, content, { ...source, hashes: files }));
    const manifest = manifestSchema.parse({
      ...head,
      source: { kind: 'folder', format: source.format, files, card: cardFile },
      files: await hashed(readdirSync(work).map((file) => join(work, file))),
      ...content.fields,
    });
    writeFileSync(join(work, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
    const target = join(modelsDirectory, name);
    rmSync(target, { recursive: true, force: true });
    renameSync(work, target);
    return manifest;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function requireName(name: string): void {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) {
    throw new ConversionError(
      `a bundle is named in small letters, digits and dashes, not "${name}"`,
    );
  }
  if (manifests.some((manifest) => manifest.name === name)) {
    throw new ConversionError(`${name} is a bundle of this version; choose another name`);
  }
}

interface HashedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

async function hashed(paths: readonly string[]): Promise<readonly HashedFile[]> {
  const files = [];
  for (const path of paths.toSorted()) {
    const sha256 = await sha256OfFile(path);
    files.push({ name: basename(path), bytes: statSync(path).size, sha256 });
  }
  return files;
}

/** The licence that a model card's head states. */
function licenceOf(folder: string): string {
  const path = join(folder, 'README.md');
  const card = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return /^---\n[^]*?^license: *(\S+)[^]*?^---$/m.exec(card)?.[1] ?? 'not stated';
}

function cardOf(
  { name, revision, license }: Pick<Manifest, 'name' | 'revision' | 'license'>,
  { description }: BundleContent,
  { format, hashes }: { readonly format: string; readonly hashes: readonly HashedFile[] },
): string {
  return [
    `# ${name}`,
    '',
    description.join('\n'),
    '',
    `Converted from ${format} by \`svc models pull ${name} --from\`; revision ${revision}, ` +
      `licence: ${license}. Nothing was measured with it here.`,
    '',
    '| file | bytes | sha256 |',
    '|---|---|---|',
    ...hashes.map((file) => `| ${file.name} | ${file.bytes} | ${file.sha256} |`),
    '',
  ].join('\n');
}
