// Converts the unsigned int8 weights of an ORT-format model to signed ones: equal products, faster
// kernels.
import { elements, fieldOf, findField, follow, readString } from './flatbuffer.ts';
import { graphFields, graphOf, nodeOperator, nodesOf, tensorFields } from './ort-model.ts';

// Element types of onnx.TensorProto.
const uint8 = 2;
const int8 = 3;

/** Input positions of the weights and of their zero points in the integer products. */
const weightInputs: Readonly<Record<string, readonly number[]>> = {
  MatMulInteger: [1, 3],
  MatMulIntegerToFloat: [1, 5],
  DynamicQuantizeMatMul: [1, 3],
};

/**
 * Returns a copy of the model whose integer products take int8 weights: w - 128 with zero point z -
 * 128 replaces w with z, so every sum and every output stays the same to the last bit. AMX and VNNI
 * multiply unsigned by signed bytes, and ONNX Runtime uses them for such weights only
 * (docs/adr/0027). Not for processors that saturate there; see `multipliesExactly`.
 */
export function withSignedWeights(model: Uint8Array): Uint8Array {
  const copy = Buffer.from(model);
  const graph = graphOf(copy);
  const names = new Set(
    nodesOf(copy).flatMap(({ table, slots }) =>
      (weightInputs[nodeOperator(copy, table)] ?? []).map((position) => slots[position] ?? ''),
    ),
  );
  for (const tensor of elements(copy, graph, graphFields.initializers)) {
    if (names.has(nameOf(copy, tensor))) flipTensor(copy, tensor);
  }
  for (const value of elements(copy, graph, graphFields.nodeArguments)) {
    if (names.has(nameOf(copy, value))) retype(copy, elementTypeOf(copy, value));
  }
  return copy;
}

/** The name is the first field of both tensors and values. */
function nameOf(data: Buffer, table: number): string {
  return readString(data, follow(data, fieldOf(data, table, tensorFields.name)));
}

function flipTensor(data: Buffer, tensor: number): void {
  if (!retype(data, findField(data, tensor, tensorFields.dataType))) return;
  const vector = follow(data, fieldOf(data, tensor, tensorFields.rawData));
  const bytes = data.subarray(vector + 4, vector + 4 + data.readUInt32LE(vector));
  for (let i = 0; i < bytes.length; i += 1) bytes[i]! ^= 0x80;
}

/** Position of the element type of a value's tensor type; null for another type. */
function elementTypeOf(data: Buffer, value: number): number | null {
  const [type, tensorType, elementType] = [2, 2, 0];
  const info = findField(data, value, type);
  if (info === null) return null;
  const tensor = findField(data, follow(data, info), tensorType);
  return tensor === null ? null : findField(data, follow(data, tensor), elementType);
}

/** @returns false when it was not uint8 */
function retype(data: Buffer, at: number | null): boolean {
  if (at === null || data.readInt32LE(at) !== uint8) return false;
  data.writeInt32LE(int8, at);
  return true;
}
