// Tables of fields: each row of the specification becomes a case over every answer that has it.
import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Case, Document, Need } from './case.ts';
import type { Service } from './service.ts';

export const text = z.string();
export const bool = z.boolean();
export const unit = z.number().min(0).max(1);
export const seconds = z.number().min(0);
export const score = z.strictObject({ label: text, score: unit });

/** A row of the table, and what the fields in its first cell must be. */
export type Row = readonly [row: string, schema: z.ZodType, presence?: 'required' | 'optional'];

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
  const cases: Case[] = rows.map(([sentence, schema, presence]) => {
    const required =
      presence === 'required' || (presence !== 'optional' && /required/.test(sentence));
    return {
      ...common,
      sentence,
      check: (service) => checkRow(service, fieldsOf(sentence), schema, required),
    };
  });
  async function checkRow(
    service: Service,
    fields: readonly string[],
    schema: z.ZodType,
    required: boolean,
  ): Promise<void> {
    const all = await samples(service);
    assert.ok(all.length > 0, `no ${name} was seen`);
    for (const sample of all) {
      for (const field of fields) {
        const value = sample[field];
        if (value === undefined) {
          assert.ok(!required, `${field} is missing`);
          continue;
        }
        const { error } = schema.safeParse(value);
        const shown = `${field} is ${JSON.stringify(value)?.slice(0, 200)}`;
        assert.ok(!error, error && `${shown}: ${z.prettifyError(error)}`);
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

/** Of a row of a table, or of a member in a list: `name (type)`. */
function fieldsOf(row: string): readonly string[] {
  const cell = row.startsWith('|') ? row.split('|')[1]! : row.split(' (')[0]!;
  return cell
    .trim()
    .split(/,\s*/)
    .map((name) => name.replace(/^.*\./, ''));
}
