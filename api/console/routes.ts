// The console, to which / leads: pages that use the API to send recordings, watch batches, search
// what is kept and play it.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type Router from '@koa/router';
import { themeStyle } from '../../models/exports/theme.ts';
import type { BatchDependencies } from '../batches/dependencies.ts';
import type { RequestState } from '../http/request-state.ts';
import { consoleDataRoutes } from './data.ts';
import { liveBody } from './live-page.ts';
import {
  batchBody,
  batchesBody,
  compareBody,
  overviewBody,
  recordingBody,
  recordingsBody,
} from './pages.ts';
import { renderPage, type Page } from './shell.ts';

const folder = join(import.meta.dirname, 'page');
const waveSurfer = join(
  dirname(createRequire(import.meta.url).resolve('wavesurfer.js')),
  'wavesurfer.esm.js',
);

/** The only files of the folder that are served. */
const modules = [
  ...['batch', 'batch-list', 'batches', 'capture-worklet', 'compare', 'dom', 'dropped-files'],
  ...['find', 'lanes', 'live', 'live-stream', 'microphone', 'moments', 'overview', 'player'],
  ...['recording', 'recordings', 'service', 'session', 'speaker-names', 'talk', 'theme'],
  ...['themes', 'transcript', 'upload-row', 'uploads'],
];

type PageText = Omit<Page, 'nonce' | 'root'>;

const pages: Readonly<Record<string, PageText>> = {
  '/console': {
    title: 'Overview',
    current: 'Overview',
    module: 'overview.js',
    body: overviewBody,
  },
  '/console/live': { title: 'Live', current: 'Live', module: 'live.js', body: liveBody },
  '/console/recordings': {
    title: 'Recordings',
    current: 'Recordings',
    module: 'recordings.js',
    body: recordingsBody,
  },
  '/console/recording': {
    title: 'Recording',
    current: null,
    module: 'recording.js',
    body: recordingBody,
  },
  '/console/compare': {
    title: 'Two recordings',
    current: null,
    module: 'compare.js',
    body: compareBody,
  },
  '/console/batches': {
    title: 'Batches',
    current: 'Batches',
    module: 'batches.js',
    body: batchesBody,
  },
  '/console/batch': { title: 'Batch', current: null, module: 'batch.js', body: batchBody },
};

/** Forms are sent nowhere, so that no key can become part of an address. */
export function contentSecurityPolicy(nonce: string): string {
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; ` +
    "connect-src 'self'; media-src blob:; img-src 'self' data:; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'"
  );
}

export function consoleRoutes(router: Router<RequestState>, dependencies: BatchDependencies): void {
  router.get('/', (ctx) => {
    // For a program `/` is a path like any other that does not exist.
    if (ctx.accepts('json', 'html') === 'html') ctx.redirect('/console');
  });
  for (const [path, page] of Object.entries(pages)) {
    router.get(path, (ctx) => {
      const nonce = randomBytes(16).toString('base64');
      const root = path === '/console' ? '' : '../';
      ctx.set('Content-Security-Policy', contentSecurityPolicy(nonce));
      ctx.set('Referrer-Policy', 'no-referrer');
      ctx.set('Cache-Control', 'no-store');
      ctx.type = 'text/html; charset=utf-8';
      ctx.body = renderPage({ ...page, root, nonce });
    });
  }
  for (const [name, { type, text }] of assets()) {
    router.get(`/console/assets/${name}`, (ctx) => {
      ctx.set('Cache-Control', 'no-cache');
      ctx.type = type;
      ctx.body = text;
    });
  }
  consoleDataRoutes(router, dependencies);
}

interface Asset {
  readonly type: string;
  readonly text: string;
}

/** Read once: together they are smaller than one recording. */
function assets(): ReadonlyMap<string, Asset> {
  const script = (path: string): Asset => {
    return { type: 'text/javascript; charset=utf-8', text: readFileSync(path, 'utf8') };
  };
  const style = (text: string): Asset => ({ type: 'text/css; charset=utf-8', text });
  return new Map([
    ...modules.map((name) => [`${name}.js`, script(join(folder, `${name}.js`))] as const),
    ['wavesurfer.js', script(waveSurfer)],
    ['theme.css', style(themeStyle)],
    ['console.css', style(readFileSync(join(folder, 'console.css'), 'utf8'))],
  ]);
}
