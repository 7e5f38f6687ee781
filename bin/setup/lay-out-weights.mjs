// Converts a published CTranslate2 model to the weight files of this project's ONNX graphs: tensors
// in the order of a layout, weight matrices quantised to int8 by row.
import fs from 'node:fs';
import { SetupError } from './processes.mjs';

const version = 6;
const float16 = 4;

/**
 * @typedef {{ variable: string, kind: string, offset: number }} LaidOutTensor
 * @typedef {{ file: string, bytes: number, tensors: LaidOutTensor[] }} Output
 */

/**
 * @param {Buffer} model CTranslate2 binary, version 6: u32 version, name, u32 revision, u32 count;
 * then per variable its name, u8 rank, u32 dimensions, u8 type, u32 bytes and the data. Names have
 * a u16 length that counts a closing NUL.
 * @param {Output[]} outputs of a layout in models/graphs
 * @param {(file: string) => string} pathOf
 */
export function layOutWeights(model, outputs, pathOf) {
  const variables = readVariables(model);
  for (const { file, bytes, tensors } of outputs) {
    const laidOut = Buffer.alloc(bytes);
    for (const { variable, kind, offset } of tensors) {
      const found = variables.get(variable);
      if (!found) throw new SetupError(`the published model has no variable ${variable}`);
      const tensor = convert(found, kind);
      laidOut.set(new Uint8Array(tensor.buffer, tensor.byteOffset, tensor.byteLength), offset);
    }
    fs.writeFileSync(pathOf(file), laidOut);
  }
}

function readVariables(model) {
  let at = 0;
  const take = (size) => {
    at += size;
    return at - size;
  };
  const name = () => {
    const length = model.readUInt16LE(take(2));
    return model.toString('latin1', take(length), at - 1);
  };
  const found = model.readUInt32LE(take(4));
  if (found !== version) throw new SetupError(`the published model has version ${found}, not 6`);
  name();
  take(4);
  const variables = new Map();
  for (let left = model.readUInt32LE(take(4)); left > 0; left -= 1) {
    const variable = name();
    const rank = model.readUInt8(take(1));
    const shape = Array.from({ length: rank }, () => model.readUInt32LE(take(4)));
    const type = model.readUInt8(take(1));
    const bytes = model.readUInt32LE(take(4));
    variables.set(variable, { shape, type, data: model.subarray(take(bytes), at) });
  }
  return variables;
}

function convert({ shape, type, data }, kind) {
  if (type !== float16) throw new SetupError(`a variable has type ${type}, not float16`);
  const values = toFloat32(data);
  if (kind === 'float32') return values;
  const [rows, columns] = shape;
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    let most = 0;
    for (let i = row * columns; i < (row + 1) * columns; i += 1) {
      most = Math.max(most, Math.abs(values[i]));
    }
    scales[row] = most / 127;
  }
  if (kind === 'scale') return scales;
  const quantised = new Int8Array(values.length);
  const transposed = kind === 'int8-transposed';
  for (let row = 0; row < rows; row += 1) {
    const scale = scales[row] || 1;
    for (let column = 0; column < columns; column += 1) {
      const to = transposed ? column * rows + row : row * columns + column;
      quantised[to] = Math.round(values[row * columns + column] / scale);
    }
  }
  return quantised;
}

/** IEEE 754 half precision, by a table of all 65,536 values. */
function toFloat32(data) {
  const values = new Float32Array(data.length / 2);
  for (let i = 0; i < values.length; i += 1) values[i] = halves[data.readUInt16LE(2 * i)];
  return values;
}

const halves = Float32Array.from({ length: 65_536 }, (_, bits) => {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
});
