// Further outputs of an ORT-format model (a flatbuffer), without rebuilding it.

// Field numbers in onnxruntime's ort.fbs.
const sessionModel = 1;
const modelGraph = 7;
const graphOutputs = 6;

/**
 * A copy of the model with values inside its graph as further outputs. The file's own vector of
 * output names is left behind: a longer one is appended, and the graph's field points to it.
 * training/ort_outputs.py does the same.
 * @param names value names of the graph
 */
export function exposeOutputs(model: Uint8Array, names: readonly string[]): Uint8Array {
  const source = Buffer.from(model.buffer, model.byteOffset, model.byteLength);
  const session = source.readUInt32LE(0);
  const modelTable = follow(source, fieldOf(source, session, sessionModel));
  const graph = follow(source, fieldOf(source, modelTable, modelGraph));
  const field = fieldOf(source, graph, graphOutputs);
  const texts = [...readStrings(source, follow(source, field)), ...names.map((n) => utf8(n))];
  const vector = aligned(source.length);
  const grown = Buffer.alloc(vector + vectorBytes(texts));
  source.copy(grown);
  grown.writeUInt32LE(vector - field, field);
  writeStrings(grown, vector, texts);
  return grown;
}

/** Position of a table's field. */
function fieldOf(data: Buffer, table: number, number: number): number {
  const vtable = table - data.readInt32LE(table);
  const offset = data.readUInt16LE(vtable + 4 + 2 * number);
  if (offset === 0) throw new Error(`the model has no field ${number}`);
  return table + offset;
}

function follow(data: Buffer, at: number): number {
  return at + data.readUInt32LE(at);
}

function readStrings(data: Buffer, vector: number): Buffer[] {
  return Array.from({ length: data.readUInt32LE(vector) }, (_, i) => {
    const text = follow(data, vector + 4 + 4 * i);
    return data.subarray(text + 4, text + 4 + data.readUInt32LE(text));
  });
}

function writeStrings(data: Buffer, vector: number, texts: readonly Buffer[]): void {
  data.writeUInt32LE(texts.length, vector);
  let end = vector + 4 + 4 * texts.length;
  texts.forEach((text, i) => {
    const slot = vector + 4 + 4 * i;
    data.writeUInt32LE(end - slot, slot);
    data.writeUInt32LE(text.length, end);
    text.copy(data, end + 4);
    end += stringBytes(text);
  });
}

function vectorBytes(texts: readonly Buffer[]): number {
  return texts.reduce((sum, text) => sum + 4 + stringBytes(text), 4);
}

/** Length, text, terminating zero, padding to four bytes. */
function stringBytes(text: Buffer): number {
  return aligned(4 + text.length + 1);
}

function aligned(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function utf8(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}
