// Collects the nodes of a graph whose weights are laid out in one file, and cuts it into parts.
import {
  encodeOnnx,
  type Attribute,
  type DataType,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
} from './onnx-model.ts';

/** How a tensor of the source is stored; the int8 kinds go by row, with a scale for each. */
export type WeightKind = 'float32' | 'int8' | 'int8-transposed' | 'scale';

/** Where a tensor begins in the file of the weights. */
export interface LaidOutTensor {
  readonly variable: string;
  readonly kind: WeightKind;
  /** As the graph reads it. */
  readonly dims: readonly number[];
  /** Bytes. */
  readonly offset: number;
}

export interface WeightLayout {
  readonly file: string;
  readonly bytes: number;
  readonly tensors: readonly LaidOutTensor[];
}

export interface BuiltGraph {
  /** Models by file name, in the order in which they run. */
  readonly models: ReadonlyMap<string, Buffer>;
  readonly layout: WeightLayout;
}

/** Operators of ONNX Runtime that the standard set lacks. */
export const runtimeDomain = 'com.microsoft';
const opsets = { '': 18, [runtimeDomain]: 1 };
const alignment = 64;

interface NodeOptions {
  readonly domain?: string;
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

export interface GraphBuilder {
  /** Values that the whole graph takes and gives. */
  readonly inputs: OnnxValue[];
  readonly outputs: OnnxValue[];
  /** @returns the first output */
  readonly add: (
    op: string,
    inputs: readonly string[],
    outputs: readonly string[],
    options?: NodeOptions,
  ) => string;
  /** An initializer with its values. @returns its name */
  readonly constant: (name: string, values: Constant) => string;
  /** An initializer in the file of the weights, each once. @returns its name */
  weight(variable: string, dims: readonly number[], kind?: WeightKind): string;
  /** @param cuts values: a part ends with the node that makes one of them */
  build(cuts?: readonly string[]): BuiltGraph;
}

/** Integers are int64; one number is a float32 without dimensions. */
export type Constant =
  | number
  | readonly number[]
  | { readonly byte: number }
  | { readonly signedByte: number }
  | { readonly data: Float32Array; readonly dims: readonly number[] };

export function createGraphBuilder(name: string): GraphBuilder {
  const nodes: OnnxNode[] = [];
  const initializers: OnnxTensor[] = [];
  const inputs: OnnxValue[] = [];
  const outputs: OnnxValue[] = [];
  const tensors: LaidOutTensor[] = [];
  const file = `${name}.bin`;
  let end = 0;
  return {
    inputs,
    outputs,
    add(op, given, made, { domain = '', attributes = {} } = {}) {
      nodes.push({ op, domain, inputs: given, outputs: made, attributes });
      return made[0]!;
    },
    constant(own, values) {
      initializers.push({ name: own, ...constantTensor(values) });
      return own;
    },
    weight(variable, dims, kind = 'float32') {
      const own = kind === 'float32' ? variable : `${variable}:${kind}`;
      if (initializers.some((tensor) => tensor.name === own)) return own;
      const type = kind.startsWith('int8') ? 'int8' : 'float32';
      const length = dims.reduce((a, b) => a * b, 1) * (type === 'int8' ? 1 : 4);
      const values = { location: file, offset: end, length };
      initializers.push({ name: own, type, dims, values });
      tensors.push({ variable, kind, dims, offset: end });
      end += Math.ceil(length / alignment) * alignment;
      return own;
    },
    build(cuts = []) {
      const parts = partsOf({ nodes, inputs, outputs }, cuts);
      const models = parts.map((part, i) => {
        const own = parts.length === 1 ? name : `${name}-${i + 1}`;
        const used = new Set(part.nodes.flatMap((node) => node.inputs));
        const weights = initializers.filter((tensor) => used.has(tensor.name));
        const graph = { name: own, ...part, initializers: weights };
        return [`${own}.onnx`, encodeOnnx(graph, opsets)] as const;
      });
      return { models: new Map(models), layout: { file, bytes: end, tensors } };
    },
  };
}

function constantTensor(values: Constant): Pick<OnnxTensor, 'type' | 'dims' | 'values'> {
  if (typeof values === 'number') return floats(Float32Array.of(values), []);
  if ('byte' in values) return { type: 'uint8', dims: [], values: Uint8Array.of(values.byte) };
  if ('signedByte' in values) {
    return { type: 'int8', dims: [], values: Uint8Array.of(values.signedByte) };
  }
  if ('data' in values) return floats(values.data, values.dims);
  const integers = BigInt64Array.from(values, BigInt);
  return { type: 'int64', dims: [values.length], values: new Uint8Array(integers.buffer) };
}

function floats(data: Float32Array, dims: readonly number[]) {
  return { type: 'float32' as const, dims, values: new Uint8Array(data.buffer) };
}

export function value(
  name: string,
  dims: OnnxValue['dims'],
  type: DataType = 'float32',
): OnnxValue {
  return { name, dims, type };
}

interface Part {
  readonly nodes: readonly OnnxNode[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

/** What one part makes is an input of the parts after it that read it. */
function partsOf(whole: Part, cuts: readonly string[]): readonly Part[] {
  const ends = cuts.map((cut) => 1 + whole.nodes.findIndex(({ outputs }) => outputs.includes(cut)));
  const bounds = [0, ...ends, whole.nodes.length];
  const slices = bounds.slice(1).map((end, i) => whole.nodes.slice(bounds[i], end));
  const made = slices.map((nodes) => new Set(nodes.flatMap(({ outputs }) => outputs)));
  const read = slices.map((nodes) => new Set(nodes.flatMap(({ inputs }) => inputs)));
  const known = new Set([...whole.inputs, ...whole.outputs].map(({ name }) => name));
  return slices.map((nodes, i) => {
    const before = new Set(made.slice(0, i).flatMap((names) => [...names]));
    const after = new Set(read.slice(i + 1).flatMap((names) => [...names]));
    // Without shapes, which the whole graph does not know there either: ONNX Runtime would fuse
    // more nodes, with other last digits.
    const open = (names: Iterable<string>): OnnxValue[] =>
      [...names].toSorted().map((name) => value(name, null));
    const taken = open([...before].filter((name) => read[i]!.has(name)));
    const passed = open([...made[i]!].filter((name) => after.has(name) && !known.has(name)));
    return {
      nodes,
      inputs: [...whole.inputs.filter(({ name }) => read[i]!.has(name)), ...taken],
      outputs: [...whole.outputs.filter(({ name }) => made[i]!.has(name)), ...passed],
    };
  });
}
