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
import { keepRows } from '../../onnx/tensor-rows.ts';
import type { DecodedToken } from '../spelled-words.ts';
import { stackCrossCaches, type CrossCaches } from './cross-caches.ts';
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
  /** Frees the memory of what the rows have read; that of the batch is kept. */
  close(): void;
}

/** Chunks that are added one by one, and then decoded together. */
export interface WhisperBatch {
  /** @param isKept something else reads the encoding later; otherwise its memory is freed */
  add(encoding: WhisperEncoding, isKept: boolean): void;
  /** Rows before their first token; a batch of one chunk only can be opened again. */
  open(): WhisperRows;
  /** Frees the memory of the keys and values. */
  close(): void;
}

export interface WhisperDecoder {
  /** Bytes of the keys and values of one position of a context. */
  readonly contextBytes: number;
  /** @param context positions of the longest chunk */
  batch(maxRows: number, context: number): WhisperBatch;
}

const nothing = new Float32Array(0);

/** Rows of one chunk, which can be opened again: its encoding is kept. */
export function rowsOfChunk(
  decoder: WhisperDecoder,
  encoding: WhisperEncoding,
  rows: number,
): WhisperBatch {
  const batch = decoder.batch(rows, encoding.context);
  for (let row = 0; row < rows; row += 1) batch.add(encoding, true);
  return batch;
}

export function createWhisperDecoder(session: Session, manifest: WhisperManifest): WhisperDecoder {
  const { layers, heads, headSize, vocabularySize } = manifest;
  const names = Array.from({ length: layers }, (_, layer) =>
    ['key', 'value'].map((part) => `${layer}.${part}`),
  ).flat();
  const presents = names.map((name) => `present.${name}`);

  const openRows = (cross: CrossCaches): WhisperRows => {
    let { contexts } = cross;
    const empty = float32Tensor(new Float32Array(0), [contexts.length, heads, 0, headSize]);
    let caches = {
      ...cross.tensors(),
      ...Object.fromEntries(names.map((name) => [`past.${name}`, empty])),
    };
    return {
      async read(tokens, { forbidden, logits = false, attention = false }) {
        const count = tokens[0]!.length;
        const ids = int64Tensor(BigInt64Array.from(tokens.flat(), BigInt), [tokens.length, count]);
        const wanted = [...(logits ? ['logits'] : []), ...(attention ? ['attention'] : [])];
        const outputs = await session.run({ ...caches, forbidden, tokens: ids }, [
          ...['next', 'probability', ...presents],
          ...wanted,
        ]);
        freeTensors(names.map((name) => caches[`past.${name}`]!));
        for (const name of names) caches[`past.${name}`] = outputs[`present.${name}`]!;
        return stepsOf(outputs, { contexts, count, vocabularySize, logits, attention });
      },
      keep(rows) {
        contexts = rows.map((row) => contexts[row]!);
        caches = Object.fromEntries(
          Object.entries(caches).map(([name, cache]) => [name, keepRows(cache, rows)]),
        );
      },
      close() {
        freeTensors(names.map((name) => caches[`past.${name}`]!));
      },
    };
  };

  return {
    contextBytes: 2 * layers * heads * headSize,
    batch(maxRows, context) {
      const cross = stackCrossCaches(maxRows, context);
      return {
        add: (encoding, isKept) => cross.add(encoding, isKept),
        open: () => openRows(cross),
        close: () => cross.close(),
      };
    },
  };
}

interface StepShape extends Required<Omit<StepOptions, 'forbidden'>> {
  /** Positions of each row. */
  readonly contexts: readonly number[];
  /** Tokens of each row. */
  readonly count: number;
  readonly vocabularySize: number;
}

function stepsOf(
  outputs: Tensors,
  { contexts, count, vocabularySize, logits, attention }: StepShape,
): readonly RowStep[] {
  const rows = contexts.length;
  const next = int64Output(outputs, 'next', [rows, 1]);
  const { data } = float32Output(outputs, 'probability', [rows, 1]);
  const all = logits ? float32Output(outputs, 'logits', [rows, vocabularySize]).data : nothing;
  const shape = [rows, -1, count, -1];
  const seen = attention ? lastOf(float32Output(outputs, 'attention', shape), contexts) : [];
  return Array.from({ length: rows }, (_, row) => ({
    // Not in the graph, where a single row's logarithm has other last digits.
    next: { id: Number(next[row]), logProbability: Math.log(data[row]!) },
    logits: rowOf(all, row, rows),
    attention: seen[row] ?? [],
  }));
}

/** Of the attention [rows, heads, count, padded context], that of each row's last token. */
function lastOf({ data, dims }: Float32Output, contexts: readonly number[]): readonly Attention[] {
  const [, heads, count, padded] = dims as [number, number, number, number];
  return contexts.map((context, row) =>
    Array.from({ length: heads }, (_, head) => {
      const start = ((row * heads + head + 1) * count - 1) * padded;
      return data.slice(start, start + context);
    }),
  );
}

/** A copy, because a view would keep the whole buffer alive. */
function rowOf(all: Float32Array, row: number, rows: number): Float32Array {
  const size = all.length / rows;
  return all.slice(row * size, (row + 1) * size);
}
