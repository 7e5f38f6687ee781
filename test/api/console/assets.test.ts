// Files of the pages: kept by browsers under an address of their content, named by the pages.
import test from 'ava';
import { importedModules, pageAssets } from '../../../api/console/assets.ts';
import { renderPage } from '../../../api/console/shell.ts';
import { servePages } from '../../screenshots/serve.ts';

test('every file is kept for good under its version, and not under another one', async (t) => {
  const { base, close } = await servePages();
  t.teardown(close);
  const { path, files } = pageAssets();
  t.true(files.size > 25);
  for (const [name, { type, text }] of files) {
    const response = await fetch(`${base}/${path}/${name}`);
    t.is(response.headers.get('content-type'), type, name);
    t.regex(response.headers.get('cache-control')!, /max-age=31536000, immutable/);
    t.is(await response.text(), text);
  }
  // What a page of an older process asks for while the service is being replaced.
  const other = await fetch(`${base}/console/assets/0123456789ab/dom.js`);
  t.is(other.status, 200);
  t.is(other.headers.get('cache-control'), 'no-cache');
});

test('a page names all modules that it will load, and each is served', async (t) => {
  const assets = pageAssets();
  for (const module of ['overview.js', 'recording.js', 'batch.js', 'live.js', 'docs.js']) {
    const imported = importedModules(module, assets);
    t.true(imported.includes('dom.js'));
    for (const name of [module, ...imported]) t.true(assets.files.has(name), name);
  }
  t.true(importedModules('recording.js', assets).includes('wavesurfer.js'), 'of the player');
  const page = { title: 'A', current: null, module: 'recording.js', body: '', nonce: 'n' };
  const preloaded = renderPage({ ...page, root: '../' }).match(/rel="modulepreload"/g) ?? [];
  t.is(preloaded.length, importedModules('recording.js', assets).length);
});
