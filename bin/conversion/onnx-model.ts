// Writes ONNX models: the messages of onnx.proto3 that a graph needs, in the wire format of
// Protocol Buffers.

/** `TensorProto.DataType`. */
const dataTypes = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const;
export type DataType = keyof typeof dataTypes;

/** A number is an integer attribute, a list is one of integers. */
export type Attribute = number | readonly number[] | { readonly float: number };

export interface OnnxNode {
  readonly op: string;
  /** '' is the standard set of operators. */
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** An initializer: its values, or where in another file they begin. */
export interface OnnxTensor {
  readonly name: string;
  readonly type: DataType;
  readonly dims: readonly number[];
  readonly values:
    Uint8Array | { readonly location: string; readonly offset: number; readonly length: number };
}

export interface OnnxValue {
  readonly name: string;
  readonly type: DataType;
  /** Sizes, or names of sizes that vary; null leaves the rank open. */
  readonly dims: readonly (number | string)[] | null;
}

export interface OnnxGraph {
  readonly name: string;
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

const irVersion = 9;

/** @param opsets versions of the sets of operators, by domain */
export function encodeOnnx(graph: OnnxGraph, opsets: Readonly<Record<string, number>>): Buffer {
  return message(
    integer(1, irVersion),
    bytes(7, encodeGraph(graph)),
    ...Object.entries(opsets).map(([domain, version]) =>
      bytes(8, message(text(1, domain), integer(2, version))),
    ),
  );
}

function encodeGraph({ name, nodes, initializers, inputs, outputs }: OnnxGraph): Buffer {
  return message(
    ...nodes.map((node) => bytes(1, encodeNode(node))),
    text(2, name),
    ...initializers.map((tensor) => bytes(5, encodeTensor(tensor))),
    ...inputs.map((value) => bytes(11, encodeValue(value))),
    ...outputs.map((value) => bytes(12, encodeValue(value))),
  );
}

function encodeNode({ op, domain, inputs, outputs, attributes }: OnnxNode): Buffer {
  return message(
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.keys(attributes)
      .toSorted()
      .map((name) => bytes(5, encodeAttribute(name, attributes[name]!))),
    text(7, domain),
  );
}

function encodeAttribute(name: string, value: Attribute): Buffer {
  if (typeof value === 'number') return message(text(1, name), integer(3, value), integer(20, 2));
  if ('float' in value) return message(text(1, name), float(2, value.float), integer(20, 1));
  return message(text(1, name), ...value.map((each) => integer(8, each)), integer(20, 7));
}

function encodeTensor({ name, type, dims, values }: OnnxTensor): Buffer {
  const head = [
    ...dims.map((size) => integer(1, size)),
    integer(2, dataTypes[type]),
    text(8, name),
  ];
  if (values instanceof Uint8Array) return message(...head, bytes(9, values));
  const { location, offset, length } = values;
  const entries = { location, offset: String(offset), length: String(length) };
  return message(
    ...head,
    ...Object.entries(entries).map(([key, value]) =>
      bytes(13, message(text(1, key), text(2, value))),
    ),
    integer(14, 1),
  );
}

function encodeValue({ name, type, dims }: OnnxValue): Buffer {
  const sizes = dims?.map((size) =>
    bytes(1, typeof size === 'number' ? integer(1, size) : text(2, size)),
  );
  const shape = sizes ? [bytes(2, message(...sizes))] : [];
  const tensor = message(integer(1, dataTypes[type]), ...shape);
  return message(text(1, name), bytes(2, bytes(1, tensor)));
}

function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function varint(value: bigint): Buffer {
  const written: number[] = [];
  let left = BigInt.asUintN(64, value);
  do {
    const more = left > 0x7fn;
    written.push(Number(left & 0x7fn) | (more ? 0x80 : 0));
    left >>= 7n;
  } while (left > 0n);
  return Buffer.from(written);
}

function tag(field: number, wireType: number): Buffer {
  return varint(BigInt(field * 8 + wireType));
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([tag(field, 0), varint(BigInt(value))]);
}

function float(field: number, value: number): Buffer {
  const written = Buffer.alloc(4);
  written.writeFloatLE(value);
  return Buffer.concat([tag(field, 5), written]);
}

function bytes(field: number, value: Uint8Array): Buffer {
  return Buffer.concat([tag(field, 2), varint(BigInt(value.length)), value]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}
