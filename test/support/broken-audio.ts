// Files that must be rejected, each for a reason: generated when needed, never stored.
import { encode, silence, tone, toWav, type FileFormat } from './speech.ts';

export interface BrokenFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** Codes of which the service must answer one. */
  readonly codes: readonly string[];
}

const undecodable = ['audio_undecodable'];
const unsupported = ['unsupported_audio'];
const either = ['audio_undecodable', 'unsupported_audio', 'audio_too_short'];

/** More than fifty broken files of every container. */
export async function brokenFiles(): Promise<readonly BrokenFile[]> {
  const encoded = await encodeAll();
  return [
    ...notAudio(),
    ...brokenWavs(),
    ...[...encoded].flatMap(([format, bytes]) => truncated(format, bytes)),
    ...(await compressedWavs()).flatMap((bytes) => truncated('wav', bytes)),
    ...truncated('m4a', await fragmented()),
    ...[...encoded].flatMap(([format, bytes]) => damaged(format, bytes)),
    ...(await withoutAudio()),
  ];
}

async function encodeAll(): Promise<Map<FileFormat, Buffer>> {
  const wav = toWav(tone(440, 6));
  const formats: readonly FileFormat[] = ['flac', 'mp3', 'm4a', 'ogg', 'opus', 'webm'];
  const files = await Promise.all(formats.map((format) => encode(wav, format)));
  return new Map(formats.map((format, i) => [format, files[i]!]));
}

function compressedWavs(): Promise<Buffer[]> {
  const codecs = ['adpcm_ima_wav', 'adpcm_ms', 'libmp3lame'];
  return Promise.all(
    codecs.map((codec) => encode(toWav(tone(440, 6)), 'wav', ['-c:a', codec, '-ar', '22050'])),
  );
}

function fragmented(): Promise<Buffer> {
  const fragments = ['-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '4000000'];
  return encode(toWav(tone(440, 6)), 'm4a', fragments);
}

function notAudio(): BrokenFile[] {
  const texts = {
    'one byte': 'x',
    text: 'This is not audio. '.repeat(50),
    html: '<!doctype html><html><body>no</body></html>',
    json: '{"audio": true}',
    'HLS playlist': '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/hostname\n',
    'ffconcat script': 'ffconcat version 1.0\nfile /etc/hostname\n',
    png: '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
    jpeg: '\xff\xd8\xff\xe0\0\x10JFIF',
    gif: 'GIF89a\x01\0\x01\0',
    zip: 'PK\x03\x04\x14\0\0\0',
    pdf: '%PDF-1.7\n%\xe2\xe3',
    elf: '\x7fELF\x02\x01\x01',
    avi: 'RIFF\x24\0\0\0AVI LIST',
    midi: 'MThd\0\0\0\x06\0\x01',
    aiff: 'FORM\0\0\0\x1eAIFFCOMM',
    amr: '#!AMR\n\x3c',
    zeros: '\0'.repeat(5_000),
  };
  return Object.entries(texts).map(([name, text]) => ({
    name,
    bytes: Buffer.from(text, 'latin1'),
    codes: unsupported,
  }));
}

function brokenWavs(): BrokenFile[] {
  const good = toWav(tone(440, 1));
  const changed = (name: string, change: (wav: Buffer) => Buffer | void, codes = undecodable) => {
    const copy = Buffer.from(good);
    return { name: `wav: ${name}`, bytes: change(copy) ?? copy, codes };
  };
  const put16 = (offset: number, value: number) => (wav: Buffer) => {
    wav.writeUInt16LE(value, offset);
  };
  const put32 = (offset: number, value: number) => (wav: Buffer) => {
    wav.writeUInt32LE(value, offset);
  };
  return [
    changed('only RIFF', (wav) => wav.subarray(0, 12)),
    changed('half a header', (wav) => wav.subarray(0, 30)),
    changed('header only, data declared', (wav) => wav.subarray(0, 44)),
    changed('no samples', () => toWav(silence(0)), ['audio_too_short']),
    changed('half of the data', (wav) => wav.subarray(0, wav.length / 2)),
    changed('one byte missing', (wav) => wav.subarray(0, -1)),
    changed('data size lies', put32(40, 0x10_00_00_00)),
    changed('0 channels', put16(22, 0)),
    changed('9 channels', (wav) => {
      put16(22, 9)(wav);
      put16(32, 18)(wav);
    }),
    changed('0 Hz', put32(24, 0)),
    changed('4 GHz', put32(24, 0xff_ff_ff_f0)),
    changed('40 bits', put16(34, 40)),
    changed('0 bits', put16(34, 0)),
    changed('block size 0', put16(32, 0)),
    changed('unknown codec', put16(20, 0x7777)),
    changed('no data chunk', (wav) => {
      wav.write('junk', 36);
    }),
    changed('0.05 s', () => toWav(silence(0.05)), ['audio_too_short']),
    {
      name: 'wav: NaN floats',
      bytes: floatWav([0.1, Number.NaN, 0.2]),
      codes: undecodable,
    },
    {
      name: 'wav: infinite floats',
      bytes: floatWav([0.1, Number.POSITIVE_INFINITY]),
      codes: undecodable,
    },
  ];
}

function floatWav(values: readonly number[]): Buffer {
  const count = 16_000;
  const wav = toWav(new Int16Array(count * 2));
  wav.writeUInt16LE(3, 20);
  wav.writeUInt32LE(16_000 * 4, 28);
  wav.writeUInt16LE(4, 32);
  wav.writeUInt16LE(32, 34);
  for (let i = 0; i < count; i += 1) wav.writeFloatLE(values[i % values.length]!, 44 + i * 4);
  return wav;
}

/** Where the end is declared or marked, half a file is not a valid file. */
function truncated(format: FileFormat, bytes: Buffer): BrokenFile[] {
  return [0.3, 0.5, 0.8].map((share) => ({
    name: `${format}: first ${share * 100} %`,
    bytes: bytes.subarray(0, Math.floor(bytes.length * share)),
    codes: undecodable,
  }));
}

function damaged(format: FileFormat, bytes: Buffer): BrokenFile[] {
  const zeroed = Buffer.from(bytes);
  zeroed.fill(0, Math.min(256, bytes.length / 4));
  const headOnly = bytes.subarray(0, 24);
  return [
    { name: `${format}: zeros after its head`, bytes: zeroed, codes: either },
    { name: `${format}: 24 bytes`, bytes: headOnly, codes: either },
  ];
}

/** Containers that are complete but hold no sound. */
async function withoutAudio(): Promise<BrokenFile[]> {
  const video = (format: FileFormat, codec: string) =>
    encode(toWav(tone(440, 1)), format, [
      ...['-f', 'lavfi', '-i', 'color=c=black:s=32x32:r=5:d=1'],
      ...['-map', '1:v', '-an', '-c:v', codec],
    ]);
  const [m4a, webm] = await Promise.all([video('m4a', 'mpeg4'), video('webm', 'libvpx')]);
  return [
    { name: 'm4a: video only', bytes: m4a, codes: undecodable },
    { name: 'webm: video only', bytes: webm, codes: undecodable },
    {
      name: 'mp3: only a tag',
      bytes: Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x07\x76', 'latin1'), Buffer.alloc(1_014)]),
      codes: either,
    },
  ];
}
