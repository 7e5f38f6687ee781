// The only place that creates ONNX Runtime sessions: one thread each, no spinning, quiet.
import * as ort from 'onnxruntime-node';
import { yieldCore } from './yield-points.ts';

export type Tensor = ort.Tensor;
export type Tensors = Readonly<Record<string, Tensor>>;

export interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /**
   * Blocks the thread until it is done, after it was its turn.
   * @param fetches outputs that are wanted; absent: all
   */
  run(feeds: Tensors, fetches?: readonly string[]): Promise<Tensors>;
}

/** A file that a graph names, with its bytes. */
export interface ExternalData {
  readonly path: string;
  readonly data: Uint8Array;
}

/**
 * Loads a model (`.onnx` or `.ort`: a path, or the bytes) for the CPU with one intra-op thread: two
 * processes with one thread each beat one process with two (docs/adr/0003). The memory pattern is
 * off because lengths vary: it would keep one plan, and its memory, per length seen.
 * @param externalData files that the graph's weights lie in
 */
export async function createSession(
  model: string | Uint8Array,
  externalData: readonly ExternalData[] = [],
): Promise<Session> {
  const options = {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableMemPattern: false,
    logSeverityLevel: 3,
    externalData,
    // Where products of unsigned and signed bytes are cut off, weights become unsigned.
    extra: { session: { intra_op: { allow_spinning: '0' }, x64quantprecision: '1' } },
  } as const satisfies ort.InferenceSession.SessionOptions;
  const session =
    typeof model === 'string'
      ? await ort.InferenceSession.create(model, options)
      : await ort.InferenceSession.create(model, options);
  const { inputNames, outputNames } = session;
  return {
    inputNames,
    outputNames,
    run: async (feeds, fetches) => {
      await yieldCore();
      return fetches ? session.run(feeds, fetches) : session.run(feeds);
    },
  };
}
