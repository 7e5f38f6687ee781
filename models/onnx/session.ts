// The only place that creates ONNX Runtime sessions: one thread each, no spinning, quiet.
import * as ort from 'onnxruntime-node';

export type Session = ort.InferenceSession;
export type Tensor = ort.Tensor;

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
export function createSession(
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
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  } as const satisfies ort.InferenceSession.SessionOptions;
  return typeof model === 'string'
    ? ort.InferenceSession.create(model, options)
    : ort.InferenceSession.create(model, options);
}
