// Whether the processor multiplies unsigned by signed bytes without saturating the sums.
import { fileURLToPath } from 'node:url';
import { openSession } from './open-session.ts';
import { float32Output, float32Tensor } from './tensor.ts';

/** The probe (training/moonshine_graph.py) multiplies this many bytes by the largest signed one. */
const terms = 64;
const columns = 16;
const largestUnsigned = 255;
const largestSigned = 127;

const probe = fileURLToPath(new URL('../graphs/product-probe.onnx', import.meta.url));

/**
 * False on processors with AVX2 but neither VNNI nor AMX, where `vpmaddubsw` saturates the sum of
 * two products at 32,767. Computed once.
 */
export function multipliesExactly(): Promise<boolean> {
  return (exact ??= multiplyLargest());
}

/** Of the weights of a graph. With seven no sum of two products saturates (docs/adr/0078). */
export type WeightBits = 7 | 8;

/** Whether the weights of a graph have to be made unsigned on this processor, to be exact. */
export async function areMadeUnsigned(bits: WeightBits): Promise<boolean> {
  return bits === 8 && !(await multipliesExactly());
}

let exact: Promise<boolean> | undefined;

async function multiplyLargest(): Promise<boolean> {
  // With unsigned weights the probe would be exact everywhere.
  const session = await openSession(probe, { weightsFolder: null, weightsUnsigned: false });
  // The range from zero to 255 is quantised to itself.
  const bytes = new Float32Array(terms).fill(largestUnsigned);
  const outputs = await session.run({ bytes: float32Tensor(bytes, [1, terms]) });
  const { data } = float32Output(outputs, 'product', [1, columns]);
  return data.every((sum) => sum === terms * largestUnsigned * largestSigned);
}
