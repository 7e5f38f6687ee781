// Sessions that wait at a yield point before each run.
import type * as ort from 'onnxruntime-node';
import { areMadeUnsigned, type WeightBits } from './exact-products.ts';
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

interface SessionOptions {
  /** Of the files that hold the graph's weights; null, the default: the model holds its own. */
  readonly weightsFolder?: string | null;
  /** Of what is quantised; 8 by default. */
  readonly weightBits?: WeightBits;
  /** 1 by default. */
  readonly threads?: number;
}

/** Loads a model (`.onnx` or `.ort`: a path, or the bytes). */
export async function createSession(
  model: string | Uint8Array,
  { weightsFolder = null, weightBits = 8, threads = 1 }: SessionOptions = {},
): Promise<Session> {
  const weightsUnsigned = await areMadeUnsigned(weightBits);
  return yielding(await openSession(model, { weightsFolder, weightsUnsigned, threads }));
}

/** @param graph path of one whose weights are packed */
export async function createPackedSession(graph: string, threads: number): Promise<Session> {
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
