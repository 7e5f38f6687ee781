// Bundles on disk: their folders, and whether every file is present and correct.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { assignedBundles, type Assignments } from './assignments.ts';
import { readManifests } from './installed.ts';
import type { Manifest } from './manifest.ts';
import { manifestOf, ModelLoadingError, weightsFolder } from './manifests.ts';

export interface BundleStatus {
  readonly name: string;
  readonly revision: string;
  readonly license: string;
  /** False for what a setting could name and does not. */
  readonly needed: boolean;
  /** null when every file is correct, or what is wrong. */
  readonly problem: string | null;
}

export interface Bundle<F extends Manifest['family']> {
  readonly directory: string;
  readonly manifest: Extract<Manifest, { family: F }>;
}

export interface ModelStore {
  readonly manifests: readonly Manifest[];
  /** The bundle of that name with its folder. @throws ModelLoadingError for another family */
  bundle<F extends Manifest['family']>(name: string, family: F): Bundle<F>;
  /** Checks every bundle: sizes only, or sha256 as well. */
  verify(options: VerifyOptions): Promise<readonly BundleStatus[]>;
}

export interface VerifyOptions {
  readonly hash: boolean;
  /** The bundle that recognises English. */
  readonly english: string;
  readonly assignments: Assignments;
}

/** @param directory contains the files of each bundle in `directory/<bundle>/` */
export function openModelStore(directory: string): ModelStore {
  const manifests = readManifests(directory);
  return {
    manifests,
    bundle: (name, family) => {
      const manifest = manifestOf(name, family, manifests);
      return { manifest, directory: folderOf(directory, manifest) };
    },
    verify: (options) => Promise.all(manifests.map((m) => verifyBundle(directory, m, options))),
  };
}

/** Bundles from elsewhere have a folder each; those trained here are in the repository. */
function folderOf(directory: string, { name, source }: Manifest): string {
  return source.kind === 'project' ? weightsFolder : join(directory, name);
}

/** Reads a small model file. @throws ModelLoadingError when it cannot be read */
export async function readModelFile(path: string): Promise<Uint8Array> {
  return readFile(path).catch(rejectUnreadable(path));
}

/** Checks a file that ONNX Runtime reads. @throws ModelLoadingError when it cannot be read */
export async function requireModelFile(path: string): Promise<void> {
  await access(path, constants.R_OK).catch(rejectUnreadable(path));
}

function rejectUnreadable(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new ModelLoadingError(`cannot read ${path}; set-up pulls it: npm start`, { cause });
  };
}

async function verifyBundle(
  directory: string,
  manifest: Manifest,
  { hash, english, assignments }: VerifyOptions,
): Promise<BundleStatus> {
  const { name, revision, license, optional = false, source } = manifest;
  const chosen = name === english || assignedBundles(assignments).includes(name);
  const needed = chosen || (!optional && source.kind !== 'folder');
  const facts = { name, revision, license, needed };
  for (const file of manifest.files) {
    const path = join(folderOf(directory, manifest), file.name);
    const bytes = await stat(path).then(
      (found) => found.size,
      () => null,
    );
    const problem =
      bytes === null
        ? `${file.name} is missing`
        : bytes !== file.bytes
          ? `${file.name} has ${bytes} bytes, not ${file.bytes}`
          : hash && (await sha256OfFile(path)) !== file.sha256
            ? `${file.name} has another sha256`
            : null;
    if (problem) return { ...facts, problem };
  }
  return { ...facts, problem: null };
}

/** As hexadecimal digits. */
export async function sha256OfFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const block of createReadStream(path)) digest.update(block as Buffer);
  return digest.digest('hex');
}
