// What `npm run X -- --help` prints: the comment at the head of the script that it would run, which
// needs nothing installed.
import { readFileSync } from 'node:fs';

/** Whether what is run is asked only what it is. @param {readonly string[]} args */
export function asksForHelp(args) {
  return args.some((arg) => ['-h', '--help'].includes(arg));
}

/**
 * The comment at the head of a script, or the docstring of one in Python.
 * @param {string} path
 */
export function headComment(path) {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.py')) return `${/^"""([^]*?)\s*"""/.exec(text)?.[1] ?? ''}\n`;
  const lines = /^(\/\/.*\n)*/.exec(text)?.[0] ?? '';
  return lines.replace(/^\/\/ ?/gm, '');
}
