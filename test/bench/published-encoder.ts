// Moonshine tiny's encoder as it is published, in ONNX Runtime's own format (a flatbuffer), with
// inner values as additional outputs: they are appended to the file's list of outputs, as
// training/ort_outputs.py does.

// Field numbers of the tables in onnxruntime's ort.fbs.
const sessionModel = 1;
const modelGraph = 7;
const graphOutputs = 6;

/** A copy of the model that also outputs the values with these names. */
export function withOutputs(model: Uint8Array, names: readonly string[]): Uint8Array {
  const source = Buffer.from(model.buffer, model.byteOffset, model.byteLength);
  const modelTable = follow(source, fieldOf(source, follow(source, 0), sessionModel));
  const graph = follow(source, fieldOf(source, modelTable, modelGraph));
  const field = fieldOf(source, graph, graphOutputs);
  const texts = [...stringsAt(source, follow(source, field)), ...names];
  const vector = aligned(source.length);
  const encoded = texts.map((text) => Buffer.from(text, 'utf8'));
  const bytes = encoded.reduce((sum, text) => sum + stringBytes(text), 4 + 4 * texts.length);
  const grown = Buffer.alloc(vector + bytes);
  source.copy(grown);
  grown.writeUInt32LE(vector - field, field);
  writeStrings(grown, vector, encoded);
  return grown;
}

/** Position of a table's field. @throws when the table lacks it */
function fieldOf(data: Buffer, table: number, number: number): number {
  const vtable = table - data.readInt32LE(table);
  const offset = data.readUInt16LE(vtable + 4 + 2 * number);
  if (offset === 0) throw new Error(`the model has no field ${number}`);
  return table + offset;
}

/** The position that an offset points to. */
function follow(data: Buffer, at: number): number {
  return at + data.readUInt32LE(at);
}

function stringsAt(data: Buffer, vector: number): readonly string[] {
  return Array.from({ length: data.readUInt32LE(vector) }, (_, i) => {
    const text = follow(data, vector + 4 + 4 * i);
    return data.toString('utf8', text + 4, text + 4 + data.readUInt32LE(text));
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

/** Length, text, terminating zero, and padding to four bytes. */
function stringBytes(text: Buffer): number {
  return aligned(4 + text.length + 1);
}

function aligned(length: number): number {
  return Math.ceil(length / 4) * 4;
}
