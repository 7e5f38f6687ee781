// The variables of a CTranslate2 binary: where each begins, and what it holds.
import { SetupError } from './processes.mjs';

/** Since version 4 a variable names its type; version 6 is the newest. */
const versions = { least: 4, most: 6 };

/**
 * @typedef {{ shape: number[], type: number, offset: number, bytes: number }} Variable the type is
 * CTranslate2's DataType
 */

/**
 * u32 version, name, u32 revision, u32 count; then per variable its name, u8 rank, u32 dimensions,
 * u8 type, u32 bytes and the data; then u32 aliases and two names each. A name has a u16 length
 * that counts a closing NUL.
 * @param {(offset: number, length: number) => Buffer} read throws behind the end of the file
 * @returns {{ spec: string, variables: Map<string, Variable> }} aliases stand for their variables
 * @throws SetupError for another version
 */
export function readVariables(read) {
  let at = 0;
  const take = (size) => {
    at += size;
    return read(at - size, size);
  };
  const name = () => {
    const length = take(2).readUInt16LE();
    return take(length).toString('latin1', 0, Math.max(0, length - 1));
  };
  const found = take(4).readUInt32LE();
  if (found < versions.least || found > versions.most) {
    const allowed = `${versions.least} to ${versions.most}`;
    throw new SetupError(
      `the published model has the CTranslate2 version ${found}, not ${allowed}`,
    );
  }
  const spec = name();
  take(4);
  const variables = new Map();
  for (let left = take(4).readUInt32LE(); left > 0; left -= 1) {
    const variable = name();
    const rank = take(1).readUInt8();
    const shape = Array.from({ length: rank }, () => take(4).readUInt32LE());
    const type = take(1).readUInt8();
    const bytes = take(4).readUInt32LE();
    variables.set(variable, { shape, type, offset: at, bytes });
    at += bytes;
  }
  for (let left = take(4).readUInt32LE(); left > 0; left -= 1) {
    const alias = name();
    variables.set(alias, variables.get(name()));
  }
  return { spec, variables };
}
