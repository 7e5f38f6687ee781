// The last word of an API that stops to the stream worker: a ping between two frames of the client,
// by which the worker tells that end from that of the client, who may be in the middle of a stream.
import { randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/**
 * Names the word of a connection. The API replaces what its client sends under this name, so that
 * no client knows a word of its own.
 */
export const partingHeader = 'x-svc-parting';

export function newPartingWord(): string {
  return randomBytes(16).toString('base64url');
}

/** A client's frames are masked; this mask changes nothing. */
const noMask = [0, 0, 0, 0] as const;
const finalPing = 0x89;
const maskBit = 0x80;

function pingWith(word: string): Buffer {
  const payload = Buffer.from(word);
  return Buffer.from([finalPing, maskBit | payload.length, ...noMask, ...payload]);
}

/** What a client sends behind its handshake, unchanged, but for a word between two frames. */
export class ClientFrames extends Transform {
  readonly #word: string;
  #header: number[] = [];
  /** Bytes of the frame in progress that are still to come, once its header is known. */
  #payloadLeft = 0;
  #isPending = false;

  constructor(word: string) {
    super();
    this.#word = word;
  }

  /** Says the word as soon as no frame is in progress. */
  part(): void {
    this.#isPending = true;
    if (this.#maySay() && !this.writableEnded) this.#say();
  }

  override _transform(data: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let at = 0; at < data.length;) {
      at = this.#endOfPart(data, at);
      if (!this.#maySay()) continue;
      this.push(data.subarray(from, at));
      from = at;
      this.#say();
    }
    this.push(data.subarray(from));
    done();
  }

  #maySay(): boolean {
    return this.#isPending && this.#header.length === 0 && this.#payloadLeft === 0;
  }

  #say(): void {
    this.#isPending = false;
    this.push(pingWith(this.#word));
  }

  /** @returns the end of what belongs to the frame in progress: its header, then its payload */
  #endOfPart(data: Buffer, start: number): number {
    if (this.#payloadLeft > 0) {
      const end = Math.min(data.length, start + this.#payloadLeft);
      this.#payloadLeft -= end - start;
      return end;
    }
    let at = start;
    while (at < data.length) {
      this.#header.push(data[at]!);
      at += 1;
      if (this.#header.length < headerLength(this.#header)) continue;
      this.#payloadLeft = payloadLength(this.#header);
      this.#header = [];
      return at;
    }
    return at;
  }
}

const shortestHeader = 2;
const maskBytes = 4;
/** Values of the length that announce a longer form of it, and the bytes of that. */
const longerForms: Readonly<Record<number, number>> = { 126: 2, 127: 8 };

/** As far as the bytes that are there tell. */
function headerLength([, second]: readonly number[]): number {
  if (second === undefined) return shortestHeader;
  const mask = second >= maskBit ? maskBytes : 0;
  return shortestHeader + (longerForms[second & ~maskBit] ?? 0) + mask;
}

function payloadLength([, second = 0, ...rest]: readonly number[]): number {
  const length = second & ~maskBit;
  const bytes = longerForms[length];
  if (bytes === undefined) return length;
  return rest.slice(0, bytes).reduce((sum, byte) => sum * 256 + byte, 0);
}
