// Bytes that are read where they are needed: of an array, or of a file.

export interface ByteSource {
  /** The bytes `[start, end)`, fewer where they end; valid until the next call. */
  subarray(start: number, end: number): Uint8Array;
}
