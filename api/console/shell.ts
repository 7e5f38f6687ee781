// The frame of the console's pages: head, navigation, sign-in. It contains no data of anyone.
import { importedModules, pageAssets } from './assets.ts';

export interface Page {
  readonly title: string;
  /** The entry of the navigation that is current; null for none. */
  readonly current: string | null;
  /** The module that fills the page. */
  readonly module: string;
  /** Inside of `main`. */
  readonly body: string;
  /** From the page's address to the root of the service: `` or `../`. */
  readonly root: string;
  /** Allows the styles of the waveform's shadow tree. */
  readonly nonce: string;
}

const entries = [
  { name: 'Overview', path: 'console' },
  { name: 'Live', path: 'console/live' },
  { name: 'Recordings', path: 'console/recordings' },
  { name: 'Batches', path: 'console/batches' },
  { name: 'Docs', path: 'docs' },
];

/** Keys are typed here and never become part of an address: the form cannot be sent anywhere. */
const signIn = `<section id="sign-in" class="card narrow" aria-labelledby="sign-in-title" hidden>
<h1 id="sign-in-title">Sign in</h1>
<p class="quiet">Transcripts, speakers, emotions and figures of your recordings, on machines of
your own.</p>
<p>Enter an API key of your organization. It is kept in this tab and sent to this service alone.</p>
<form id="sign-in-form">
<label for="key">API key</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" required
aria-describedby="key-help sign-in-error" placeholder="svc_live_…">
<label class="check"><input id="remember" type="checkbox"> Stay signed in on this device</label>
<p id="sign-in-error" class="error" role="alert"></p>
<button class="primary" type="submit">Sign in</button>
</form>
<p id="key-help" class="quiet">No key yet? <code>npm start</code> prints the first one; an operator
creates more with <code>svc admin key create</code>.</p>
</section>`;

export function navigation(root: string, current: string | null): string {
  const links = entries.map(({ name, path }) => {
    const mark = name === current ? ' aria-current="page"' : '';
    return `<a href="${root}${path}"${mark}>${name}</a>`;
  });
  return `<header class="bar">
<a class="brand" href="${root}console">Speech analysis</a>
<nav aria-label="Pages">${links.join('')}</nav>
<span class="tools"><button id="theme" type="button" class="plain"
aria-label="Colours: as the device">◐</button>
<button id="sign-out" type="button" class="plain" hidden>Sign out</button></span>
</header>`;
}

type HeadOptions = Pick<Page, 'title' | 'root' | 'module'> & { readonly nonce: string | null };

/** @param nonce null where no script adds styles */
export function head({ title, root, module, nonce }: HeadOptions): string {
  const assets = pageAssets();
  const at = `${root}${assets.path}`;
  const preloads = importedModules(module, assets)
    .map((name) => `<link rel="modulepreload" href="${at}/${name}">`)
    .join('\n');
  return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title} · Speech analysis</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${at}/console.css">
<script src="${at}/theme.js"></script>
${preloads}
<script type="module"${nonce === null ? '' : ` nonce="${nonce}"`} src="${at}/${module}"></script>`;
}

export function renderPage({ title, current, module, body, root, nonce }: Page): string {
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
${head({ title, root, module, nonce })}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${navigation(root, current)}
<main id="main" tabindex="-1">
${signIn}
<noscript><p class="card">The console needs JavaScript; the <a href="${root}docs">documents</a> and
the API do not.</p></noscript>
<p id="message" role="status" aria-live="polite"></p>
<div id="content" hidden>
${body}
</div>
</main>
</body>
</html>
`;
}
