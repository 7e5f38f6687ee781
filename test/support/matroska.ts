// Matroska files written element by element, so that a header can contain what no muxer would.

export interface MatroskaAudio {
  readonly codec: 'A_AAC' | 'A_OPUS' | 'A_PCM/INT/LIT';
  /** Hz, as the header names them. */
  readonly sampleRate: number;
  readonly outputSampleRate?: number;
  readonly channels: number;
  readonly codecPrivate?: Buffer;
  /** Each as long as `packetMs`. */
  readonly packets: readonly Buffer[];
  readonly packetMs: number;
}

export function matroskaFile(audio: MatroskaAudio): Buffer {
  const { codec, codecPrivate, packets, packetMs } = audio;
  const head = element('1a45dfa3', [element('4282', Buffer.from('matroska'))]);
  const info = element('1549a966', [element('2ad7b1', unsigned(1_000_000))]);
  const sound = [
    element('b5', float(audio.sampleRate)),
    ...(audio.outputSampleRate ? [element('78b5', float(audio.outputSampleRate))] : []),
    element('9f', unsigned(audio.channels)),
  ];
  const track = [
    element('d7', unsigned(1)),
    element('73c5', unsigned(1)),
    element('83', unsigned(2)),
    element('86', Buffer.from(codec)),
    ...(codecPrivate ? [element('63a2', codecPrivate)] : []),
    element('e1', sound),
  ];
  const clusters = packets.map((packet, i) => {
    const block = Buffer.concat([Buffer.from([0x81, 0, 0, 0x80]), packet]);
    return element('1f43b675', [
      element('e7', unsigned(Math.round(i * packetMs))),
      element('a3', block),
    ]);
  });
  const tracks = element('1654ae6b', [element('ae', track)]);
  return Buffer.concat([head, element('18538067', [info, tracks, ...clusters])]);
}

/** Frames of an ADTS stream, their headers too. */
export function adtsFrames(stream: Buffer): readonly Buffer[] {
  const frames: Buffer[] = [];
  for (let offset = 0; offset + 7 <= stream.length;) {
    const length = (stream.readUIntBE(offset + 3, 3) >> 5) & 0x1f_ff;
    frames.push(stream.subarray(offset, offset + length));
    offset += length;
  }
  return frames;
}

function element(id: string, body: Buffer | readonly Buffer[]): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.concat(body);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(bytes.length) | (1n << 56n));
  return Buffer.concat([Buffer.from(id, 'hex'), size, bytes]);
}

function unsigned(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}
