// Reads and rewrites the flatbuffer of an ORT-format model in place.

/** Position of a table's field; null when the table lacks it. */
export function findField(data: Buffer, table: number, number: number): number | null {
  const vtable = table - data.readInt32LE(table);
  const slot = 4 + 2 * number;
  if (slot >= data.readUInt16LE(vtable)) return null;
  const offset = data.readUInt16LE(vtable + slot);
  return offset === 0 ? null : table + offset;
}

/** Position of a table's field. @throws when the table lacks it */
export function fieldOf(data: Buffer, table: number, number: number): number {
  const field = findField(data, table, number);
  if (field === null) throw new Error(`the model has no field ${number}`);
  return field;
}

/** An unsigned number of a table; the default 0 is not stored. */
export function numberOf(data: Buffer, table: number, number: number): number {
  const field = findField(data, table, number);
  return field === null ? 0 : data.readUInt32LE(field);
}

/** The position that an offset points to. */
export function follow(data: Buffer, at: number): number {
  return at + data.readUInt32LE(at);
}

/** Positions of the elements that a vector field points to; [] without the field. */
export function elements(data: Buffer, table: number, number: number): readonly number[] {
  const field = findField(data, table, number);
  if (field === null) return [];
  const vector = follow(data, field);
  return Array.from({ length: data.readUInt32LE(vector) }, (_, i) =>
    follow(data, vector + 4 + 4 * i),
  );
}

/** Keeps some elements of a vector of offsets, in order; the rest of its space stays unused. */
export function keepElements(
  data: Buffer,
  field: number | null,
  keeps: (element: number) => boolean,
): void {
  if (field === null) return;
  const vector = follow(data, field);
  const all = Array.from({ length: data.readUInt32LE(vector) }, (_, i) =>
    follow(data, vector + 4 + 4 * i),
  );
  const kept = all.filter((element) => keeps(element));
  data.writeUInt32LE(kept.length, vector);
  kept.forEach((element, i) => {
    const slot = vector + 4 + 4 * i;
    data.writeUInt32LE(element - slot, slot);
  });
}

/** The same for a vector of structs of the given size. */
export function keepStructs(
  data: Buffer,
  field: number | null,
  { bytes, keeps }: { readonly bytes: number; readonly keeps: (struct: number) => boolean },
): void {
  if (field === null) return;
  const vector = follow(data, field);
  let kept = 0;
  for (let i = 0; i < data.readUInt32LE(vector); i += 1) {
    const struct = vector + 4 + bytes * i;
    if (!keeps(struct)) continue;
    data.copy(data, vector + 4 + bytes * kept, struct, struct + bytes);
    kept += 1;
  }
  data.writeUInt32LE(kept, vector);
}

export function readString(data: Buffer, text: number): string {
  return data.toString('utf8', text + 4, text + 4 + data.readUInt32LE(text));
}

/**
 * Returns the model with another vector of strings in a field; the old vector stays behind unused.
 */
export function withStrings(source: Buffer, field: number, texts: readonly string[]): Buffer {
  const encoded = texts.map((text) => Buffer.from(text, 'utf8'));
  const vector = aligned(source.length);
  const bytes = encoded.reduce((sum, text) => sum + 4 + stringBytes(text), 4);
  const grown = Buffer.alloc(vector + bytes);
  source.copy(grown);
  grown.writeUInt32LE(vector - field, field);
  writeStrings(grown, vector, encoded);
  return grown;
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
