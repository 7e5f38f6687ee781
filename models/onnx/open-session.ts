// The only module that opens ONNX Runtime sessions: one thread each, without spinning or logs.
import * as ort from 'onnxruntime-node';

/** A file that a graph refers to, with its bytes. */
export interface ExternalData {
  readonly path: string;
  readonly data: Uint8Array;
}

export interface OpenOptions {
  /** The files that hold the graph's weights. */
  readonly externalData: readonly ExternalData[];
  /**
   * Whether ONNX Runtime makes signed weights of products unsigned, for processors that saturate
   * there. It does so on every x64 processor, and those with VNNI or AMX then multiply four to
   * eight times slower (docs/adr/0035).
   */
  readonly weightsUnsigned: boolean;
}

/**
 * For the CPU with one intra-op thread: two processes with one thread each beat one process with
 * two (docs/adr/0003). The memory pattern is off because lengths vary: it would keep one plan, and
 * its memory, for every length seen.
 */
export function sessionOptions({ externalData, weightsUnsigned }: OpenOptions) {
  return {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableMemPattern: false,
    logSeverityLevel: 3,
    externalData,
    extra: {
      session: {
        intra_op: { allow_spinning: '0' },
        x64quantprecision: weightsUnsigned ? '1' : '0',
      },
    },
  } as const satisfies ort.InferenceSession.SessionOptions;
}

/** @param model `.onnx` or `.ort`: a path, or the bytes */
export function openSession(
  model: string | Uint8Array,
  options: OpenOptions,
): Promise<ort.InferenceSession> {
  return typeof model === 'string'
    ? ort.InferenceSession.create(model, sessionOptions(options))
    : ort.InferenceSession.create(model, sessionOptions(options));
}
