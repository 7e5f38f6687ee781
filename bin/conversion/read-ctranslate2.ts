// The tensors of a CTranslate2 binary (`model.bin`), whatever they are stored as.
import { readVariables, type Variable } from '../setup/ctranslate2.mjs';
import { ConversionError, type ModelFile } from './model-file.ts';
import { toFloats, type SourceTensor, type SourceTensors } from './tensors.ts';

/** CTranslate2's `DataType`. */
const types = { float32: 0, int8: 1, int16: 2, int32: 3, float16: 4, bfloat16: 5 } as const;

export interface Ctranslate2Model {
  readonly tensors: SourceTensors;
  /** Single integers, such as the number of heads. */
  readonly integers: ReadonlyMap<string, number>;
}

/** @throws ConversionError for another format or version, or a truncated file */
export function readCtranslate2(file: ModelFile): Ctranslate2Model {
  const { spec, variables } = variablesOf(file);
  if (spec !== 'WhisperSpec') {
    throw new ConversionError(`model.bin holds a ${spec || 'model without a name'}, not Whisper`);
  }
  const tensors = new Map<string, SourceTensor>();
  const integers = new Map<string, number>();
  for (const [name, variable] of variables) {
    if (variable.shape.length === 0) integers.set(name, integerOf(file, variable));
    else tensors.set(name, tensorOf(file, { name, variable, variables }));
  }
  return { tensors, integers };
}

function variablesOf(file: ModelFile): ReturnType<typeof readVariables> {
  try {
    return readVariables((offset: number, length: number) => file.read(offset, length));
  } catch (error) {
    if (error instanceof ConversionError) throw error;
    throw new ConversionError((error as Error).message, { cause: error });
  }
}

function integerOf(file: ModelFile, { offset, bytes }: Variable): number {
  const data = file.read(offset, bytes);
  return bytes > 6 ? Number(data.readBigInt64LE(0)) : data.readIntLE(0, bytes);
}

interface NamedVariable {
  readonly name: string;
  readonly variable: Variable;
  readonly variables: ReadonlyMap<string, Variable>;
}

function tensorOf(file: ModelFile, { name, variable, variables }: NamedVariable): SourceTensor {
  const { shape, type, offset, bytes } = variable;
  return {
    dims: shape,
    read() {
      const data = file.read(offset, bytes);
      switch (type) {
        case types.float32:
          return toFloats(data, 'F32');
        case types.float16:
          return toFloats(data, 'F16');
        case types.bfloat16:
          return toFloats(data, 'BF16');
        case types.int8:
        case types.int16: {
          const scale = variables.get(`${name}_scale`);
          if (!scale) throw new ConversionError(`${name} is quantised, and has no scale`);
          const scales = toFloats(file.read(scale.offset, scale.bytes), 'F32');
          return dequantised(data, type === types.int8 ? 1 : 2, scales);
        }
        default:
          throw new ConversionError(`${name} has the unknown type ${type}`);
      }
    },
  };
}

/** @param scales by row, or one of all: the integers are the numbers times their scale */
function dequantised(data: Buffer, bytes: 1 | 2, scales: Float32Array): Float32Array {
  const count = data.length / bytes;
  const columns = count / scales.length;
  const values = new Float32Array(count);
  for (let i = 0; i < count; i += 1) {
    values[i] = data.readIntLE(i * bytes, bytes) / scales[Math.floor(i / columns)]!;
  }
  return values;
}
