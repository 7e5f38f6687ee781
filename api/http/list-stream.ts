// Lists that are written in steps, so that a thousand rows do not block the event loop.
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runStep, streamInPace } from './answer-pace.ts';

/** Rows per step; a row may have nine kilobytes of metadata. */
export const stepRows = 50;

interface Named {
  readonly id: string;
}

export interface Step<T extends Named> {
  readonly rows: readonly T[];
  /** Whether rows follow the page; read from the last step. */
  readonly more: boolean;
}

/**
 * The body of a list as JSON. Its first step is awaited, so that an error in it still becomes an
 * error answer.
 * @param steps at least one
 */
export async function streamList<T extends Named>(
  organizationId: string,
  steps: AsyncIterator<Step<T>>,
): Promise<Readable> {
  const first = await runStep(organizationId, () => steps.next());
  return streamInPace(organizationId, pieces(first, steps));
}

async function* pieces<T extends Named>(
  first: IteratorResult<Step<T>, unknown>,
  steps: AsyncIterator<Step<T>>,
): AsyncGenerator<string> {
  let firstId: string | null = null;
  let lastId: string | null = null;
  let more = false;
  yield '{"object":"list","data":[';
  for (let step = first; !step.done; step = await steps.next()) {
    const texts = step.value.rows.map((row) => JSON.stringify(row));
    if (texts.length > 0) {
      yield `${firstId === null ? '' : ','}${texts.join(',')}`;
      firstId ??= step.value.rows[0]!.id;
      lastId = step.value.rows.at(-1)!.id;
    }
    more = step.value.more;
    // A fast socket would otherwise continue within the same turn of the event loop.
    await nextTurn();
  }
  const ends = { first_id: firstId, last_id: lastId, has_more: more };
  yield `],${JSON.stringify(ends).slice(1)}`;
}

/**
 * The body of a JSON array, each value of which is a step. The first is awaited, so that an error
 * in it still becomes an error answer.
 */
export async function streamArray(
  organizationId: string,
  values: AsyncIterator<object>,
): Promise<Readable> {
  const first = await runStep(organizationId, () => values.next());
  return streamInPace(organizationId, arrayPieces(first, values));
}

async function* arrayPieces(
  first: IteratorResult<object, unknown>,
  values: AsyncIterator<object>,
): AsyncGenerator<string> {
  let opening = '[';
  let value = first;
  while (!value.done) {
    yield `${opening}${JSON.stringify(value.value)}`;
    opening = ',';
    await nextTurn();
    value = await values.next();
  }
  yield opening === '[' ? '[]' : ']';
}

/** Maps the rows of a page, or their ids, to bodies in steps. */
export async function* inSteps<R, T extends Named>(
  { rows, more }: { readonly rows: readonly R[]; readonly more: boolean },
  toBodies: (rows: readonly R[]) => readonly T[] | Promise<readonly T[]>,
): AsyncGenerator<Step<T>> {
  for (let at = 0; at === 0 || at < rows.length; at += stepRows) {
    yield { rows: await toBodies(rows.slice(at, at + stepRows)), more };
  }
}
