// Whisper's decoder over several chunks: session I/O with caches as rows of one tensor each; the
// text is decided in `temperature-fallback.ts`.
import type { WhisperManifest } from '../../bundles/manifest.ts';
import { freeTensors } from '../../onnx/free-tensors.ts';
import type { Session, Tensor, Tensors } from '../../onnx/session.ts';
import {
  float32Output,
  type Float32Output,
  float32Tensor,
  int64Output,
  int64Tensor,
} from '../../onnx/tensor.ts';
import { keepRows, stackRows } from '../../onnx/tensor-rows.ts';
import type { DecodedToken } from '../vocab.ts';
import type { WhisperEncoding } from './encoder.ts';

/** What a step returns beside the likeliest tokens. */
export interface StepOptions {
  /** Added to the logits, [vocabulary]: -Infinity excludes a token. */
  readonly forbidden: Tensor;
  readonly logits?: boolean;
  readonly attention?: boolean;
}

/** By head: weights over the context, which add up to 1. */
export type Attention = readonly Float32Array[];

/** One row after its last token. */
export interface RowStep {
  /** The likeliest token that is not excluded. */
  readonly next: DecodedToken;
  /** [vocabulary], before exclusions; empty unless requested. */
  readonly logits: Float32Array;
  /** Of each alignment head, [context]; empty unless requested. */
  readonly attention: Attention;
}

/** Chunks that are decoded in one batch, all of them at the same position. */
export interface WhisperRows {
  /** @param tokens of each row, the same number for all */
  read(tokens: readonly (readonly number[])[], options: StepOptions): Promise<readonly RowStep[]>;
  /** Continues with these rows only; ascending. */
  keep(rows: readonly number[]): void;
  /** Frees the memory of the rows. */
  close(): void;
}

/** Chunks with contexts of one length that are added one by one, and then decoded together. */
export interface WhisperBatch {
  /** @param isKept something else reads the encoding later; otherwise its memory is freed */
  add(encoding: WhisperEncoding, isKept: boolean): void;
  open(): WhisperRows;
}

export interface WhisperDecoder {
  batch(maxRows: number): WhisperBatch;
}

const nothing = new Float32Array(0);

/** Rows of one chunk, which can be opened again: its encoding is kept. */
export function rowsOfChunk(
  decoder: WhisperDecoder,
  encoding: WhisperEncoding,
  rows: number,
): WhisperBatch {
  const batch = decoder.batch(rows);
  for (let row = 0; row < rows; row += 1) batch.add(encoding, true);
  return batch;
}

export function createWhisperDecoder(session: Session, manifest: WhisperManifest): WhisperDecoder {
  const { layers, heads, headSize, vocabularySize } = manifest;
  const names = Array.from({ length: layers }, (_, layer) =>
    ['key', 'value'].map((part) => `${layer}.${part}`),
  ).flat();
  const presents = names.map((name) => `present.${name}`);

  const openRows = (
    crossed: Record<string, Tensor>,
    chunks: number,
    isOwn: boolean,
  ): WhisperRows => {
    const empty = float32Tensor(new Float32Array(0), [chunks, heads, 0, headSize]);
    let caches = {
      ...crossed,
      ...Object.fromEntries(names.map((name) => [`past.${name}`, empty])),
    };
    return {
      async read(tokens, { forbidden, logits = false, attention = false }) {
        const rows = tokens.length;
        const count = tokens[0]!.length;
        const ids = int64Tensor(BigInt64Array.from(tokens.flat(), BigInt), [rows, count]);
        const wanted = [...(logits ? ['logits'] : []), ...(attention ? ['attention'] : [])];
        const outputs = await session.run({ ...caches, forbidden, tokens: ids }, [
          ...['next', 'probability', ...presents],
          ...wanted,
        ]);
        freeTensors(names.map((name) => caches[`past.${name}`]!));
        for (const name of names) caches[`past.${name}`] = outputs[`present.${name}`]!;
        return stepsOf(outputs, { rows, count, vocabularySize, logits, attention });
      },
      keep(rows) {
        caches = Object.fromEntries(
          Object.entries(caches).map(([name, cache]) => [name, keepRows(cache, rows)]),
        );
      },
      close() {
        freeTensors(names.map((name) => caches[`past.${name}`]!));
        if (isOwn) freeTensors(names.map((name) => caches[`cross.${name}`]!));
      },
    };
  };

  return {
    batch(maxRows) {
      const stacks = new Map(names.map((name) => [`cross.${name}`, stackRows(maxRows)]));
      let count = 0;
      let isOwn = true;
      return {
        add({ cross }, isKept) {
          count += 1;
          // A single row is not copied.
          if (maxRows === 1) isOwn = !isKept;
          for (const [name, stack] of stacks) stack.add(cross[name]!, isKept);
        },
        open() {
          const crossed = Array.from(stacks, ([name, stack]) => [name, stack.rows()] as const);
          return openRows(Object.fromEntries(crossed), count, isOwn);
        },
      };
    },
  };
}

interface StepShape extends Required<Omit<StepOptions, 'forbidden'>> {
  readonly rows: number;
  /** Tokens of each row. */
  readonly count: number;
  readonly vocabularySize: number;
}

function stepsOf(
  outputs: Tensors,
  { rows, count, vocabularySize, logits, attention }: StepShape,
): readonly RowStep[] {
  const next = int64Output(outputs, 'next', [rows, 1]);
  const { data } = float32Output(outputs, 'probability', [rows, 1]);
  const all = logits ? float32Output(outputs, 'logits', [rows, vocabularySize]).data : nothing;
  const seen = attention ? lastOf(float32Output(outputs, 'attention', [rows, -1, count, -1])) : [];
  return Array.from({ length: rows }, (_, row) => ({
    // Not in the graph, where a single row's logarithm has other last digits.
    next: { id: Number(next[row]), logProbability: Math.log(data[row]!) },
    logits: rowOf(all, row, rows),
    attention: seen[row] ?? [],
  }));
}

/** Of the attention [rows, heads, count, context], that of each row's last token. */
function lastOf({ data, dims }: Float32Output): readonly Attention[] {
  const [rows, heads, count, context] = dims as [number, number, number, number];
  const ofHead = (index: number): Float32Array => {
    const end = (index + 1) * count * context;
    return data.slice(end - context, end);
  };
  const all = Array.from({ length: rows * heads }, (_, index) => ofHead(index));
  return Array.from({ length: rows }, (_, row) => all.slice(row * heads, (row + 1) * heads));
}

/** A copy, because a view would keep the whole buffer alive. */
function rowOf(all: Float32Array, row: number, rows: number): Float32Array {
  const size = all.length / rows;
  return all.slice(row * size, (row + 1) * size);
}
