// The only place that creates ONNX Runtime sessions: one thread each, no spinning, quiet.
import * as ort from 'onnxruntime-node';

export type Session = ort.InferenceSession;
export type Tensor = ort.Tensor;

/**
 * Loads a model file (`.onnx` or `.ort`) for the CPU with one intra-op thread: two processes with
 * one
 * thread each beat one process with two (docs/adr/0003). The memory pattern is off because lengths
 * vary: it would keep one plan, and its memory, per length seen.
 */
export function createSession(path: string): Promise<Session> {
  return ort.InferenceSession.create(path, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableMemPattern: false,
    logSeverityLevel: 3,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
}
