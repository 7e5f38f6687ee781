// Little-endian numbers and texts of binary files.

export function packed(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts);
}

export function u8(value: number): Buffer {
  return Buffer.of(value);
}

export function u32(value: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeUInt32LE(value);
  return data;
}

/** With its length, which counts a closing NUL. */
export function text16(value: string): Buffer {
  const data = Buffer.from(`${value}\0`);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(data.length);
  return packed(length, data);
}

export function text32(data: Buffer): Buffer {
  return packed(u32(data.length), data);
}

/** Half precision, of numbers that it holds exactly: zero, or magnitudes from 2^-14 on. */
export function halves(values: Float32Array): Buffer {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const written = Uint16Array.from(bits, (own) => {
    const sign = (own >>> 16) & 0x80_00;
    // The exponents are biased by 127 and by 15.
    return (own & 0x7f_ff_ff_ff) === 0 ? sign : sign | (((own >>> 13) & 0x3_ff_ff) - (112 << 10));
  });
  return Buffer.from(written.buffer);
}
