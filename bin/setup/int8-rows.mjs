// Numbers of published models: half precision to floats, and matrices to int8 by row.

/** IEEE 754 half precision, by a table of all 65,536 values. */
export const halves = Float32Array.from({ length: 65_536 }, (_, bits) => {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
});

/**
 * A tensor as a layout wants it.
 * @param {{ kind: string, rows: number, bits: number }} wanted kind: float32; int8,
 * int8-transposed or scale: quantised by row; bits: of what is quantised, with the sign
 * @param {Float32Array} values row-major
 */
export function laidOutAs({ kind, rows, bits }, values) {
  if (kind === 'float32') return values;
  const scales = rowScales(values, rows, 2 ** (bits - 1) - 1);
  return kind === 'scale' ? scales : quantisedRows(values, scales, kind === 'int8-transposed');
}

/**
 * The scale of each row.
 * @param {Float32Array} values row-major
 * @param {number} rows
 * @param {number} steps between zero and the largest magnitude of a row
 */
function rowScales(values, rows, steps) {
  const columns = values.length / rows;
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    let most = 0;
    for (let i = row * columns; i < (row + 1) * columns; i += 1) {
      most = Math.max(most, Math.abs(values[i]));
    }
    scales[row] = most / steps;
  }
  return scales;
}

/**
 * @param {Float32Array} values row-major
 * @param {Float32Array} scales of the rows
 * @param {boolean} transposed [columns, rows] instead of [rows, columns]
 */
function quantisedRows(values, scales, transposed) {
  const rows = scales.length;
  const columns = values.length / rows;
  const quantised = new Int8Array(values.length);
  for (let row = 0; row < rows; row += 1) {
    const scale = scales[row] || 1;
    for (let column = 0; column < columns; column += 1) {
      const to = transposed ? column * rows + row : row * columns + column;
      quantised[to] = Math.round(values[row * columns + column] / scale);
    }
  }
  return quantised;
}
