// Sessions that wait at a yield point before each run.
import type * as ort from 'onnxruntime-node';
import { multipliesExactly } from './exact-products.ts';
import { openPacked, openSession } from './open-session.ts';
import { closeWithScope } from './session-scope.ts';
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

/**
 * Loads a model (`.onnx` or `.ort`: a path, or the bytes).
 * @param weightsFolder the folder of the files that hold the graph's weights; null when the model
 * holds its own
 */
export async function createSession(
  model: string | Uint8Array,
  weightsFolder: string | null = null,
  threads = 1,
): Promise<Session> {
  const weightsUnsigned = !(await multipliesExactly());
  return yielding(await openSession(model, { weightsFolder, weightsUnsigned, threads }));
}

/** @param graph path of one whose weights are packed */
export async function createPackedSession(graph: string, threads = 1): Promise<Session> {
  return yielding(await openPacked(graph, threads));
}

function yielding(session: ort.InferenceSession): Session {
  closeWithScope(session);
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
