// Creates tensors, and checks type and shape of every model output at the call.
import * as ort from 'onnxruntime-node';
export type Tensor = ort.Tensor;

/** A model returned an output that its manifest does not describe. */
export class UnexpectedOutputError extends Error {
  override readonly name = 'UnexpectedOutputError';
}

export interface Float32Output {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

export function float32Tensor(data: Float32Array, dims: readonly number[]): Tensor {
  return new ort.Tensor('float32', data, dims);
}

export function int8Tensor(data: Int8Array, dims: readonly number[]): Tensor {
  return new ort.Tensor('int8', data, dims);
}

export function int32Tensor(data: Int32Array, dims: readonly number[]): Tensor {
  return new ort.Tensor('int32', data, dims);
}

export function int64Tensor(data: BigInt64Array, dims: readonly number[]): Tensor {
  return new ort.Tensor('int64', data, dims);
}

/**
 * The named output as float32.
 * @param shape expected dimensions; -1 stands for any length
 * @throws UnexpectedOutputError when the output is missing or has another dtype or shape
 */
export function float32Output(
  outputs: Readonly<Record<string, Tensor>>,
  name: string,
  shape: readonly number[],
): Float32Output {
  const tensor = outputs[name];
  if (tensor === undefined) throw new UnexpectedOutputError(`output ${name} is missing`);
  const { data, dims } = tensor;
  if (!(data instanceof Float32Array)) {
    throw new UnexpectedOutputError(`output ${name} is ${tensor.type}, not float32`);
  }
  const fits = dims.length === shape.length && dims.every((d, i) => [-1, d].includes(shape[i]!));
  if (!fits)
    throw new UnexpectedOutputError(`output ${name} is [${dims.join()}], not [${shape.join()}]`);
  return { data, dims };
}

/** The same for int64. */
export function int64Output(
  outputs: Readonly<Record<string, Tensor>>,
  name: string,
  shape: readonly number[],
): BigInt64Array {
  const tensor = outputs[name];
  if (!tensor || !(tensor.data instanceof BigInt64Array) || tensor.dims.join() !== shape.join()) {
    const found = tensor ? `${tensor.type} [${tensor.dims.join()}]` : 'missing';
    throw new UnexpectedOutputError(`output ${name} is ${found}, not int64 [${shape.join()}]`);
  }
  return tensor.data;
}

/** The tensors that a model takes, by name. */
export function pickFeeds(
  tensors: Readonly<Record<string, Tensor>>,
  names: readonly string[],
): Record<string, Tensor> {
  return Object.fromEntries(
    names.map((name) => {
      const tensor = tensors[name];
      if (!tensor)
        throw new UnexpectedOutputError(`the model asks for ${name}, which is not there`);
      return [name, tensor];
    }),
  );
}
