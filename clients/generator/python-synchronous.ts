// The synchronous Python client, made from the asynchronous one: what both do is written once, as
// in httpcore and other libraries with both kinds.

const header =
  '# Generated from the asynchronous client by clients/generator/run.ts; do not edit.\n';

/** In order; whole words of Python, so that texts and names of the API stay. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/^"""The client for asyncio; `synchronous` is generated from it\."""/, '"""The client."""'],
  [/\bfrom \.\.tasks import\b/g, 'from ..threads import'],
  [/\bwebsockets\.asyncio\.client\b/g, 'websockets.sync.client'],
  [/\basync (def|with|for)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\b__aenter__\b/g, '__enter__'],
  [/\b__aexit__\b/g, '__exit__'],
  [/\ba(close|read|iter_bytes)\(/g, '$1('],
];

/** @param text of a module of `asynchronous` */
export function synchronous(text: string): string {
  return header + replacements.reduce((all, [from, to]) => all.replace(from, to), text);
}
