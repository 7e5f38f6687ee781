// Opens a file with FFmpeg's libraries: its container is forced, and its first audio stream is
// decoded.
import { AV_CODEC_ID_OPUS, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import {
  Codec,
  CodecContext,
  Dictionary,
  FormatContext,
  InputFormat,
  type Stream,
} from 'node-av/lib';
import type { Container } from '../../models/contract/containers.ts';
import { codecWhitelist, isAllowedCodec } from './codecs.ts';
import { undecodable } from './decode-error.ts';
import { opusRate, readTrims, type Trims } from './declared-trims.ts';
import type { ByteRange, DecodeJob } from './messages.ts';

/** The demuxer is forced, so that the content cannot select another one. */
const demuxers: Readonly<Partial<Record<Container, string>>> = {
  wav: 'wav',
  flac: 'flac',
  mp3: 'mp3',
  m4a: 'mov',
  ogg: 'ogg',
  webm: 'matroska',
};

export interface FfmpegInput {
  readonly format: FormatContext;
  readonly stream: Stream;
  readonly codec: CodecContext;
  readonly trims: Trims;
  close(): void;
}

/**
 * @param range part of the file; null for all of it
 * @throws DecodeError
 */
export function openInput(job: DecodeJob, range: ByteRange | null): FfmpegInput {
  const format = new FormatContext();
  format.allocContext();
  try {
    return openStream(format, job, range);
  } catch (error) {
    format.closeInputSync();
    throw error;
  }
}

function openStream(
  format: FormatContext,
  { path, container }: DecodeJob,
  range: ByteRange | null,
): FfmpegInput {
  const demuxer = InputFormat.findInputFormat(demuxers[container] ?? '');
  const options = Dictionary.fromObject({
    protocol_whitelist: 'file,subfile',
    format_whitelist: Object.values(demuxers).join(','),
    codec_whitelist: codecWhitelist,
  });
  const url = range ? `subfile,,start,${range.start},end,${range.end},,:${path}` : path;
  if (format.openInputSync(url, demuxer, options) < 0) {
    throw undecodable(`it is not a readable ${container.toUpperCase()} file`);
  }
  const declaredRates = format.streams.map(declareOpusRate);
  if (format.findStreamInfoSync() < 0) throw undecodable('its streams cannot be read');
  const index = format.findBestStream(AVMEDIA_TYPE_AUDIO);
  const stream = format.streams[index];
  if (index < 0 || !stream) throw undecodable('it holds no audio stream');
  const codec = openCodec(stream);
  const trims = readTrims(stream, { container, declaredRate: declaredRates[index] ?? 0 });
  return {
    format,
    stream,
    codec,
    trims,
    close: () => {
      codec.freeContext();
      format.closeInputSync();
    },
  };
}

/**
 * Opus decodes at one rate, but containers may declare the rate of the source. @returns the
 * declared rate
 */
function declareOpusRate({ codecpar }: Stream): number {
  const { sampleRate } = codecpar;
  if (codecpar.codecId === AV_CODEC_ID_OPUS) codecpar.sampleRate = opusRate;
  return sampleRate;
}

function openCodec(stream: Stream): CodecContext {
  const decoder = Codec.findDecoder(stream.codecpar.codecId);
  if (!decoder || !isAllowedCodec(decoder.name)) {
    throw undecodable('its audio codec is not supported');
  }
  const codec = new CodecContext();
  codec.allocContext3(decoder);
  codec.parametersToContext(stream.codecpar);
  codec.pktTimebase = stream.timeBase;
  codec.threadCount = 1;
  if (codec.open2Sync(decoder) < 0) {
    codec.freeContext();
    throw undecodable('its audio stream cannot be decoded');
  }
  return codec;
}
