// The files that pages load: scripts and styles, read once, under an address that changes with
// their content, so that browsers keep them for good.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type Router from '@koa/router';
import { themeStyle } from '../../models/exports/theme.ts';
import type { RequestState } from '../http/request-state.ts';

const scriptFolders = [
  join(import.meta.dirname, 'page'),
  join(import.meta.dirname, '..', 'reference', 'page'),
];
const styleFolder = join(import.meta.dirname, 'page', 'styles');
const waveSurfer = join(
  dirname(createRequire(import.meta.url).resolve('wavesurfer.js')),
  'wavesurfer.esm.js',
);
/** One file for the browser, as each holds up the page. Later ones may override earlier ones. */
const consoleStyles = 'base controls lists overview player transcript live figures'.split(' ');

interface Asset {
  readonly type: string;
  readonly text: string;
}

export interface PageAssets {
  /** From the root of the service. */
  readonly path: string;
  readonly files: ReadonlyMap<string, Asset>;
}

let made: PageAssets | undefined;

/** Read when they are first needed: together they are smaller than one recording. */
export function pageAssets(): PageAssets {
  made ??= readAssets();
  return made;
}

function readAssets(): PageAssets {
  const script = (path: string): Asset => {
    return { type: 'text/javascript; charset=utf-8', text: readFileSync(path, 'utf8') };
  };
  const style = (...names: readonly string[]): string =>
    names.map((name) => readFileSync(join(styleFolder, `${name}.css`), 'utf8')).join('\n');
  const css = (text: string): Asset => ({ type: 'text/css; charset=utf-8', text });
  const scripts = scriptFolders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [basename(name), script(join(folder, name))] as const),
  );
  const files = new Map<string, Asset>([
    ...scripts,
    ['wavesurfer.js', script(waveSurfer)],
    ['console.css', css(`${themeStyle}\n${style(...consoleStyles)}`)],
    ['docs.css', css(style('docs'))],
  ]);
  const hash = createHash('sha256');
  for (const [name, { text }] of files) hash.update(`${name}\n${text}\n`);
  return { path: `console/assets/${hash.digest('hex').slice(0, 12)}`, files };
}

/**
 * The modules that a module loads, directly or not: a page names them, so that the browser does not
 * find them one after the other.
 */
export function importedModules(entry: string, { files }: PageAssets): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const text = files.get(name)?.text ?? '';
    for (const [, imported] of text.matchAll(/^import .*?'\.\/([^']+)';$/gms)) {
      if (found.has(imported!)) continue;
      found.add(imported!);
      visit(imported!);
    }
  };
  visit(entry);
  return [...found];
}

const yearSeconds = 31_536_000;

export function assetRoutes(router: Router<RequestState>): void {
  const { path, files } = pageAssets();
  for (const [name, { type, text }] of files) {
    // A page of a process that runs another version still gets its files, but does not keep them.
    router.get(`/console/assets/:version/${name}`, (ctx) => {
      const isCurrent = ctx.path.startsWith(`/${path}/`);
      const kept = `public, max-age=${yearSeconds}, immutable`;
      ctx.set('Cache-Control', isCurrent ? kept : 'no-cache');
      ctx.type = type;
      ctx.body = text;
    });
  }
}
