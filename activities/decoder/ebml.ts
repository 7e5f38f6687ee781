// The elements of EBML (RFC 8794), of which WebM consists.

export interface ElementHead {
  readonly id: number;
  /** Bytes after the head; null when they are unknown. */
  readonly size: number | null;
  readonly headBytes: number;
}

/** No head is longer. */
export const maxElementHeadBytes = 12;

/** @returns null when the bytes are not an element */
export function readElement(head: Buffer): ElementHead | null {
  const idBytes = Math.clz32(head[0] ?? 0) - 23;
  const sizeBytes = Math.clz32(head[idBytes] ?? 0) - 23;
  if (idBytes > 4 || sizeBytes > 8 || head.length < idBytes + sizeBytes) return null;
  const id = head.readUIntBE(0, idBytes);
  const marker = 0xff >> sizeBytes;
  const body = head.subarray(idBytes, idBytes + sizeBytes);
  const unknown = (body[0]! & marker) === marker && body.subarray(1).every((b) => b === 0xff);
  const size = body.subarray(1).reduce((sum, b) => sum * 256 + b, body[0]! & marker);
  return { id, size: unknown ? null : size, headBytes: idBytes + sizeBytes };
}
