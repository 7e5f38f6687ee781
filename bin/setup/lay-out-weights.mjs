// Converts a published CTranslate2 model to the weight files of this project's ONNX graphs: tensors
// in the order of a layout, weight matrices quantised by row.
import fs from 'node:fs';
import { readVariables } from './ctranslate2.mjs';
import { halves, laidOutAs } from './int8-rows.mjs';
import { SetupError } from './processes.mjs';

const float16 = 4;

/**
 * @typedef {{ variable: string, kind: string, offset: number }} LaidOutTensor
 * @typedef {{ file: string, bytes: number, tensors: LaidOutTensor[] }} Output
 */

/**
 * @param {Buffer} model CTranslate2 binary
 * @param {Output[]} outputs of a layout in models/graphs
 * @param {{ bits: number, pathOf: (file: string) => string }} to bits: of the matrices
 */
export function layOutWeights(model, outputs, { bits, pathOf }) {
  const { variables } = readVariables((offset, length) => model.subarray(offset, offset + length));
  for (const { file, bytes, tensors } of outputs) {
    const laidOut = Buffer.alloc(bytes);
    for (const { variable, kind, offset } of tensors) {
      const found = variables.get(variable);
      if (!found) throw new SetupError(`the published model has no variable ${variable}`);
      const wanted = { kind, rows: found.shape[0], bits };
      const tensor = laidOutAs(wanted, floatsOf(model, found));
      laidOut.set(new Uint8Array(tensor.buffer, tensor.byteOffset, tensor.byteLength), offset);
    }
    fs.writeFileSync(pathOf(file), laidOut);
  }
}

function floatsOf(model, { type, offset, bytes }) {
  if (type !== float16) throw new SetupError(`a variable has type ${type}, not float16`);
  const values = new Float32Array(bytes / 2);
  for (let i = 0; i < values.length; i += 1) values[i] = halves[model.readUInt16LE(offset + 2 * i)];
  return values;
}
