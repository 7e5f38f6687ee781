// What a search asks PostgreSQL's full text for, and the words around what it found.
import { sql, type RawBuilder } from 'kysely';
import type { SearchTerm } from './search-terms.ts';

/** null for no terms; terms that hold no word for PostgreSQL match everything. */
export function queryOf(
  terms: readonly SearchTerm[],
  operator: RawBuilder<unknown>,
): RawBuilder<unknown> | null {
  if (terms.length === 0) return null;
  const parts = terms.map(({ text, isPrefix, isExcluded }) => {
    const phrase = sql`phraseto_tsquery('simple', searched_words(${text}))`;
    const prefix = sql`(nullif(${phrase}::text, '') || ':*')::tsquery`;
    const term = isPrefix ? sql`coalesce(${prefix}, ''::tsquery)` : phrase;
    return isExcluded ? sql`(!! ${term})` : term;
  });
  return sql`(${sql.join(parts, operator)})`;
}

export function wantedOf(terms: readonly SearchTerm[]): readonly SearchTerm[] {
  return terms.filter(({ isExcluded }) => !isExcluded);
}

const excerptOptions =
  'StartSel=\u0002, StopSel=\u0003, MaxFragments=1, MinWords=8, MaxWords=28, FragmentDelimiter=…';
const excerptLength = 180;
/** Characters of a text that an excerpt is chosen from. */
const readBefore = 200;
const readLength = 600;

/**
 * Around any of the terms: they may be far apart, or one of them in the title. Only what surrounds
 * the first of them is read, because the time that PostgreSQL takes for a phrase grows with the
 * square of a text that repeats its words: seconds for an hour of them.
 */
export function excerptOf(terms: readonly SearchTerm[]): RawBuilder<string> {
  const wanted = wantedOf(terms);
  const query = queryOf(wanted, sql` || `);
  if (!query) return sql<string>`left(text, ${excerptLength})`;
  const first = sql`strpos(text, (regexp_match(text, ${patternOf(wanted)}, 'i'))[1])`;
  const from = sql`greatest(1, coalesce(${first}, 1) - ${readBefore}::int)`;
  const near = sql`substr(text, ${from}, ${readLength}::int)`;
  return sql<string>`ts_headline('simple', ${near}, ${query}, ${excerptOptions})`;
}

const between = '[^[:alnum:]]+';

/**
 * A regular expression of PostgreSQL; letters and digits have no other meaning in one. What it
 * finds includes the characters around it, so that no longer word before has the same text.
 */
function patternOf(terms: readonly SearchTerm[]): string {
  const found = terms.map(({ text, isPrefix }) => {
    const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    return words.join(between) + (isPrefix ? '' : '(?:$|[^[:alnum:]])');
  });
  return `((?:^|[^[:alnum:]])(?:${found.join('|')}))`;
}
