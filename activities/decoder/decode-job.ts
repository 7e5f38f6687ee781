// Decodes one upload: chooses the decoder, and checks the length that the container declares.
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { open, type FileHandle } from 'node:fs/promises';
import { createOffsetRemoval } from '../../models/audio/dc-offset.ts';
import type { WavFormat } from '../../models/audio/wav.ts';
import { undecodable, unsupported } from './decode-error.ts';
import { declaredLength } from './declared-length.ts';
import { FileWindow } from './file-window.ts';
import { decodeWithFfmpeg } from './ffmpeg-decoder.ts';
import type { DecodedAudio, DecodeJob } from './messages.ts';
import { oggLinks } from './ogg-links.ts';
import { rejectTrailingAudio, rejectSecondRecording } from './second-recording.ts';
import { decodeWav, rawFormat, readWavFormat, type PcmSink } from './wav-decoder.ts';

const edgeBytes = 1 << 16;
/** Tolerates encoder delay, padding, and rounding of declared durations. */
const toleranceSeconds = 0.3;

/** @throws DecodeError */
export async function decodeJob(job: DecodeJob, receive: PcmSink): Promise<DecodedAudio> {
  const withoutOffset = createOffsetRemoval();
  const sink: PcmSink = (pcm) => receive(withoutOffset(pcm));
  await using file = await open(job.path);
  const window = new FileWindow(file.fd, job.bytes);
  const wav = await sampleFormat(file, job);
  if (wav) {
    if (job.mono16kHz) assertMono16kHz(wav.channels, wav.sampleRate);
    if (job.container === 'wav' && wav.dataBytes !== null) {
      rejectTrailingAudio(window, wav.dataOffset + wav.dataBytes);
    }
    // Awaited here because the file closes when this function returns.
    return await decodeWav(file, wav, { job, sink });
  }

  rejectSecondRecording(window, job.container);
  const ranges = job.container === 'ogg' ? oggLinks(window) : null;
  const head = Buffer.alloc(Math.min(edgeBytes, job.bytes));
  await file.read(head, 0, head.length, 0);
  const declared = declaredLength(job.container, { head, fileBytes: job.bytes });
  if (declared.endMissing) throw undecodable('it is truncated: its end is missing');
  if (job.mono16kHz && job.container === 'flac' && declared.seconds === null) {
    throw unsupported('the FLAC is not finalized: it does not say how many samples it has');
  }

  const { containerSeconds, ...decoded } = await decodeWithFfmpeg(job, {
    sink,
    ranges: ranges && ranges.length > 1 ? ranges : null,
    declaredSeconds: declared.seconds,
  });
  if (job.mono16kHz) assertMono16kHz(decoded.sourceChannels, decoded.sourceRate);
  const seconds = decoded.sourceSamples / decoded.sourceRate;
  const expected = declared.seconds ?? containerSeconds;
  if (expected !== null && seconds < expected * 0.99 - toleranceSeconds) {
    const there = `${seconds.toFixed(1)} of its declared ${expected.toFixed(1)} seconds`;
    throw undecodable(`it is truncated: ${there} are there`);
  }
  return decoded;
}

/** The format of samples that FFmpeg is not needed for; null for everything else. */
async function sampleFormat(file: FileHandle, job: DecodeJob): Promise<WavFormat | null> {
  if (job.container === 'wav') return readWavFormat(file, job.bytes);
  return job.container === 'pcm16' || job.container === 'f32le'
    ? rawFormat(job.container, job.bytes)
    : null;
}

function assertMono16kHz(channels: number, rate: number): void {
  if (channels === 1 && rate === sampleRate) return;
  throw unsupported(
    `it has ${channels} channels at ${rate} Hz; this model takes 1 at ${sampleRate} Hz`,
  );
}
