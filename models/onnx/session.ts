// The only module that creates ONNX Runtime sessions: one thread each, without spinning or logs.
import * as ort from 'onnxruntime-node';
import { yieldCore } from './yield-points.ts';

export type Tensor = ort.Tensor;
export type Tensors = Readonly<Record<string, Tensor>>;

export interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /**
   * Waits at a yield point, then blocks the thread until the run is done.
   * @param fetches outputs to compute; absent: all
   */
  run(feeds: Tensors, fetches?: readonly string[]): Promise<Tensors>;
}

/** A file that a graph refers to, with its bytes. */
export interface ExternalData {
  readonly path: string;
  readonly data: Uint8Array;
}

/**
 * Loads a model (`.onnx` or `.ort`: a path, or the bytes) for the CPU with one intra-op thread: two
 * processes with one thread each beat one process with two (docs/adr/0003). The memory pattern is
 * off because lengths vary: it would keep one plan, and its memory, for every length seen.
 * @param externalData the files that hold the graph's weights
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
    // Where products of unsigned and signed bytes saturate, ONNX Runtime makes the weights
    // unsigned.
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
