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

/** Bits of a number that half precision holds exactly. */
export function halfOf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x80_00 : 0;
  const magnitude = Math.abs(value);
  if (magnitude < 2 ** -14) return sign | (magnitude * 2 ** 24);
  const exponent = Math.floor(Math.log2(magnitude));
  return sign | ((exponent + 15) << 10) | ((magnitude / 2 ** exponent - 1) * 1_024);
}
