// FLAC files written frame by frame, so that a frame can contain what no encoder would (RFC 9639).

export interface FlacFrame {
  /** Hz, up to 655,350; above 65,535 a multiple of ten. */
  readonly rate: number;
  readonly channels: number;
  /** Of each channel; a number stands for `samples` samples of that constant. */
  readonly pcm: Int16Array | { readonly constant: number; readonly samples: number };
}

/** @param declared what STREAMINFO says; `samples` 0 leaves the length open */
export function flacFile(
  declared: { readonly rate: number; readonly channels: number; readonly samples: number },
  frames: readonly FlacFrame[],
): Buffer {
  const lengths = frames.map(samplesOf);
  const info = Buffer.alloc(34);
  info.writeUInt16BE(Math.max(16, Math.min(...lengths)), 0);
  info.writeUInt16BE(Math.max(...lengths), 2);
  info.writeUIntBE((declared.rate << 4) | ((declared.channels - 1) << 1), 10, 3);
  info[13] = 0xf0 + Math.floor(declared.samples / 2 ** 32);
  info.writeUInt32BE(declared.samples % 2 ** 32, 14);
  const head = Buffer.from([0x66, 0x4c, 0x61, 0x43, 0x80, 0, 0, 34]);
  let first = 0;
  const blocks = frames.map((frame, i) => {
    const bytes = flacFrame(frame, first);
    first += lengths[i]!;
    return bytes;
  });
  return Buffer.concat([head, info, ...blocks]);
}

function samplesOf({ pcm }: FlacFrame): number {
  return 'constant' in pcm ? pcm.samples : pcm.length;
}

/** Variable block size: the header numbers samples. */
function flacFrame(frame: FlacFrame, firstSample: number): Buffer {
  const { rate, channels, pcm } = frame;
  const samples = samplesOf(frame);
  const [rateCode, rateBytes] = rate <= 0xff_ff ? [13, Buffer.alloc(2)] : [14, Buffer.alloc(2)];
  rateBytes.writeUInt16BE(rateCode === 13 ? rate : rate / 10);
  const blockSize = Buffer.alloc(2);
  blockSize.writeUInt16BE(samples - 1);
  const header = Buffer.concat([
    Buffer.from([0xff, 0xf9, 0x70 | rateCode, ((channels - 1) << 4) | 0x08]),
    codedNumber(firstSample),
    blockSize,
    rateBytes,
  ]);
  const body = Buffer.concat([
    header,
    Buffer.from([crc(header, 8, 0x07)]),
    ...Array.from({ length: channels }, () => subframe(pcm)),
  ]);
  const end = Buffer.alloc(2);
  end.writeUInt16BE(crc(body, 16, 0x80_05));
  return Buffer.concat([body, end]);
}

function subframe(pcm: FlacFrame['pcm']): Buffer {
  if ('constant' in pcm) {
    const bytes = Buffer.alloc(3);
    bytes.writeInt16BE(pcm.constant, 1);
    return bytes;
  }
  const bytes = Buffer.alloc(1 + pcm.length * 2);
  bytes[0] = 0x02;
  pcm.forEach((sample, i) => bytes.writeInt16BE(sample, 1 + 2 * i));
  return bytes;
}

/** UTF-8's code, for up to 36 bits. */
function codedNumber(value: number): Buffer {
  if (value < 0x80) return Buffer.from([value]);
  const rest: number[] = [];
  let left = value;
  while (left >= 2 ** (6 - rest.length) || rest.length === 0) {
    rest.unshift(0x80 | (left % 64));
    left = Math.floor(left / 64);
  }
  return Buffer.from([((0xff_00 >> (rest.length + 1)) & 0xff) | left, ...rest]);
}

function crc(bytes: Buffer, bits: 8 | 16, polynomial: number): number {
  const top = 1 << (bits - 1);
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1)
      value = value & top ? (value << 1) ^ polynomial : value << 1;
    value &= (1 << bits) - 1;
  }
  return value;
}
