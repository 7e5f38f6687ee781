// Tables of fields: each row of the specification becomes a case over every answer that has it.
import assert from 'node:assert/strict';
import type { Case, Document, Need } from './case.ts';
import type { Service } from './service.ts';

export type Check = (value: any) => boolean;

export const text: Check = (value) => typeof value === 'string';
export const bool: Check = (value) => typeof value === 'boolean';
export const is =
  (wanted: unknown): Check =>
  (value) =>
    value === wanted;
export const oneOf =
  (...allowed: readonly unknown[]): Check =>
  (value) =>
    allowed.includes(value);
export const matches =
  (pattern: RegExp): Check =>
  (value) =>
    text(value) && pattern.test(value);
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
export const number =
  (min = -Infinity, max = Infinity): Check =>
  (value) =>
    typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max;
export const whole =
  (min = -Infinity, max = Infinity): Check =>
  (value) =>
    Number.isInteger(value) && value >= min && value <= max;
export const list =
  (item: Check, min = 0, max = Infinity): Check =>
  (value) =>
    Array.isArray(value) && value.length >= min && value.length <= max && value.every(item);
export const map =
  (item: Check): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(item);
export const unit = number(0, 1);
export const seconds = number(0);
/** Exactly these members. */
export const object =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    map(() => true)(value) &&
    Object.keys(value).length === Object.keys(members).length &&
    Object.entries(members).every(([name, check]) => check(value[name]));
export const score = object({ label: text, score: unit });

/** A row as it stands in the table, and what its first cell's fields must be. */
export type Row = readonly [row: string, check: Check, presence?: 'required' | 'optional'];

export interface Resource {
  readonly name: string;
  readonly from?: Document;
  readonly needs?: Need;
  /** Every object of this kind that the suite has seen; at least one. */
  readonly samples: (service: Service) => Promise<readonly any[]>;
  readonly rows: readonly Row[];
  /** The sentence that forbids other members. */
  readonly closed?: string;
  /** Members that the tables of other resources describe. */
  readonly also?: readonly string[];
}

export function resource({
  name,
  from = 'interface.md',
  needs,
  samples,
  rows,
  closed,
  also = [],
}: Resource): readonly Case[] {
  const common = { section: name, from, ...(needs && { needs }) };
  const cases: Case[] = rows.map(([sentence, check, presence]) => {
    const required =
      presence === 'required' || (presence !== 'optional' && /required/.test(sentence));
    return {
      ...common,
      sentence,
      check: (service) => checkRow(service, fieldsOf(sentence), check, required),
    };
  });
  async function checkRow(
    service: Service,
    fields: readonly string[],
    check: Check,
    required: boolean,
  ): Promise<void> {
    const all = await samples(service);
    assert.ok(all.length > 0, `no ${name} was seen`);
    for (const sample of all) {
      for (const field of fields) {
        const value = sample[field];
        if (value === undefined) assert.ok(!required, `${field} is missing`);
        else assert.ok(check(value), `${field} is ${JSON.stringify(value)?.slice(0, 200)}`);
      }
    }
  }
  if (closed === undefined) return cases;
  const known = new Set([...rows.flatMap(([row]) => fieldsOf(row)), ...also]);
  const onlyKnown = async (service: Service): Promise<void> => {
    const extra = (await samples(service)).flatMap(Object.keys).filter((key) => !known.has(key));
    assert.deepEqual(extra, []);
  };
  return [...cases, { ...common, sentence: closed, check: onlyKnown }];
}

function fieldsOf(row: string): readonly string[] {
  const [, cell = ''] = row.split('|');
  return cell
    .trim()
    .split(/,\s*/)
    .map((name) => name.replace(/^.*\./, ''));
}
