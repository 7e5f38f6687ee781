// The only module that opens ONNX Runtime sessions, without spinning or logs.
import { basename } from 'node:path';
import * as ort from 'onnxruntime-node';

export interface OpenOptions {
  /**
   * The folder of the files that hold the graph's weights; null when the model holds its own. They
   * are mapped, so that processes share the weights that no kernel packs anew (docs/adr/0047).
   */
  readonly weightsFolder: string | null;
  /**
   * Whether ONNX Runtime makes signed weights of products unsigned, for processors that saturate
   * there. It does so on every x64 processor, and those with VNNI or AMX then multiply four to
   * eight times slower (docs/adr/0035).
   */
  readonly weightsUnsigned: boolean;
  /** One by default: two processes with one each beat one process with two (docs/adr/0003). */
  readonly threads?: number;
}

/**
 * For the CPU. The memory pattern is off because lengths vary: it would keep one plan, and
 * its memory, for every length seen. The arena is off because each session would keep one of its
 * own, as large as its longest run needed (docs/adr/0047).
 */
export function sessionOptions({ weightsFolder, weightsUnsigned, threads = 1 }: OpenOptions) {
  return {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    enableMemPattern: false,
    logSeverityLevel: 3,
    extra: {
      session: {
        intra_op: { allow_spinning: '0' },
        x64quantprecision: weightsUnsigned ? '1' : '0',
        ...(weightsFolder !== null && {
          model_external_initializers_file_folder_path: weightsFolder,
        }),
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

/**
 * Opens a graph that `packWeights` has written. It is as ONNX Runtime has optimized it, and so is
 * not optimized again.
 */
export function openPacked(graph: string, threads: number): Promise<ort.InferenceSession> {
  const options = sessionOptions({ weightsFolder: null, weightsUnsigned: false, threads });
  return ort.InferenceSession.create(graph, { ...options, graphOptimizationLevel: 'disabled' });
}

/** Less stays in the graph itself. */
const minPackedBytes = 1024;

/**
 * Writes a graph as ONNX Runtime has optimized it for this processor, and beside it a file with its
 * weights, packed where a kernel packs them. What reads them on another processor may compute
 * anything.
 * @param target path of the graph that is written
 */
export async function packWeights(
  model: Uint8Array,
  options: OpenOptions,
  target: string,
): Promise<void> {
  const { extra, ...common } = sessionOptions(options);
  const session = await ort.InferenceSession.create(model, {
    ...common,
    optimizedModelFilePath: target,
    extra: {
      session: {
        ...extra.session,
        optimized_model_external_initializers_file_name: `${basename(target)}.weights`,
        optimized_model_external_initializers_min_size_in_bytes: String(minPackedBytes),
        save_external_prepacked_constant_initializers: '1',
      },
    },
  });
  await session.release();
}
