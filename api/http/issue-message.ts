// What an issue of a schema tells the caller where the schema has no message of its own: what the
// field takes, and what it got where that can be no secret.
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** How zod's own messages begin; nothing else marks them. */
const ofZod = /^(Invalid|Too|Unrecognized)\b/;

export function hasOwnMessage({ message }: Issue): boolean {
  return !ofZod.test(message);
}

/** Of a union the option that came furthest, because its issue says what is wrong. */
export function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const options = issue.errors.flatMap(([first]) => (first ? [innermost(first)] : []));
  if (options.length === 0) return issue;
  const best = options.reduce((one, other) => (other.path.length > one.path.length ? other : one));
  return { ...best, path: [...issue.path, ...best.path] };
}

/** The rest of the sentence that begins with the field. @param value what the field got */
export function describeIssue(issue: Issue, value: unknown): string {
  if (issue.code === 'invalid_key') {
    return `needs another name: a name ${describeIssue(issue.issues[0]!, issue.path.at(-1))}`;
  }
  return `takes ${allowed(issue)}, got ${received(issue, value)}`;
}

/** The same for a field that is not there. */
export function describeAbsent(issue: Issue): string {
  return `is required; it takes ${allowed(issue)}`;
}

const typeNames: Readonly<Record<string, string>> = {
  ...{ string: 'text', number: 'a number', int: 'a whole number', boolean: 'true or false' },
  ...{ object: 'an object', record: 'an object', array: 'a list' },
};

function allowed(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return issue.values.map(String).join(', ');
    case 'invalid_union':
      return 'options' in issue && issue.options ? issue.options.join(', ') : 'other values';
    case 'invalid_format':
      return formatName(issue);
    case 'too_small':
      return `${issue.inclusive ? 'at least' : 'more than'} ${amount(issue, issue.minimum)}`;
    case 'too_big':
      return `${issue.inclusive ? 'at most' : 'less than'} ${amount(issue, issue.maximum)}`;
    default:
      return 'other values';
  }
}

function formatName({ format, pattern = '' }: z.core.$ZodIssueInvalidStringFormat): string {
  if (format === 'uuid') return pattern.includes('-4[') ? 'a UUID of version 4' : 'a UUID';
  if (format !== 'regex') return `text of the format ${format}`;
  return `text of the form ${pattern.replaceAll(/^\/\^?|\$?\/\w*$/g, '')}`;
}

function amount({ origin }: { readonly origin: string }, limit: number | bigint): string {
  const unit = { string: 'character', array: 'entry' }[origin];
  if (!unit) return String(limit);
  if (Number(limit) === 1) return `1 ${unit}`;
  return `${limit} ${unit === 'entry' ? 'entries' : `${unit}s`}`;
}

const maxShownCharacters = 32;

function received(issue: Issue, value: unknown): string {
  const isText = typeof value === 'string';
  const isSize = issue.code === 'too_big' || issue.code === 'too_small';
  if (isSize && Array.isArray(value)) return String(value.length);
  if (issue.code === 'too_big' && isText) return String(value.length);
  // Text in the place of something else may be an address with a secret.
  if (!isText || issue.code === 'invalid_type') return kindOf(value);
  if (value.length <= maxShownCharacters) return `"${value}"`;
  return `"${value.slice(0, maxShownCharacters)}…"`;
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
