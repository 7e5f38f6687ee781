// Decodes one upload: chooses the decoder, and checks the length that the container declares.
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { open } from 'node:fs/promises';
import type { Container } from '../../models/contract/containers.ts';
import { tagsEnd } from '../../models/audio/container.ts';
import { createOffsetRemoval } from '../../models/audio/dc-offset.ts';
import type { WavFormat } from '../../models/audio/wav.ts';
import { undecodable, unsupported } from './decode-error.ts';
import { topBoxes } from './boxes.ts';
import { declaredLength, isCutFlac, leastSeconds } from './declared-length.ts';
import { FileWindow } from './file-window.ts';
import { decodeWithFfmpeg } from './ffmpeg-decoder.ts';
import type { DecodedAudio, DecodeJob } from './messages.ts';
import { oggLinks } from './ogg-links.ts';
import { rejectTrailingAudio, rejectSecondRecording } from './second-recording.ts';
import { decodeWav, rawFormat, readWavFormat, type PcmSink } from './wav-decoder.ts';

/** @throws DecodeError */
export async function decodeJob(job: DecodeJob, receive: PcmSink): Promise<DecodedAudio> {
  const withoutOffset = createOffsetRemoval();
  const sink: PcmSink = (pcm) => receive(withoutOffset(pcm));
  await using file = await open(job.path);
  const window = new FileWindow(file.fd, job.bytes);
  const wav = sampleFormat(window, job);
  if (wav) {
    if (job.mono16kHz) assertMono16kHz(wav.channels, wav.sampleRate);
    if (job.container === 'wav' && wav.dataBytes !== null) {
      rejectTrailingAudio(window, wav.dataOffset + wav.dataBytes);
    }
    // Awaited here because the file closes when this function returns.
    return await decodeWav(file, wav, { job, sink });
  }

  const container = soundContainer(window, job.container);
  rejectSecondRecording(window, container);
  const ranges = container === 'ogg' ? oggLinks(window) : null;
  const declared = declaredLength(container, window);
  if (declared.end === 'missing') throw undecodable('it is truncated: its end is missing');
  if (job.mono16kHz && container === 'flac' && declared.seconds === null) {
    throw unsupported('the FLAC is not finalized: it does not say how many samples it has');
  }

  const { endSeconds, declaredEndSeconds, reachedSeconds, ...decoded } = await decodeWithFfmpeg(
    { ...job, container },
    {
      sink,
      ranges: ranges && ranges.length > 1 ? ranges : null,
      declaredSeconds: declared.seconds,
      edited: container === 'm4a' && !topBoxes(window).fragmented,
    },
  );
  if (job.mono16kHz) assertMono16kHz(decoded.sourceChannels, decoded.sourceRate);
  const seconds = endSeconds ?? decoded.sourceSamples / decoded.sourceRate;
  const expected = declared.seconds ?? declaredEndSeconds;
  if (expected === null) return decoded;
  const isCut = reachedSeconds !== null && isCutFlac(expected, { seconds, reachedSeconds });
  if (isCut || seconds < leastSeconds(expected, { end: declared.end, container })) {
    const there = `${seconds.toFixed(1)} of its declared ${expected.toFixed(1)} seconds`;
    throw undecodable(`it is truncated: ${there} are there`);
  }
  return decoded;
}

/** What follows tags that were longer than the head of the file may be FLAC. */
function soundContainer(file: FileWindow, container: Container): Container {
  if (container !== 'mp3') return container;
  const start = tagsEnd(file);
  return file.at(start, 4).toString('latin1') === 'fLaC' ? 'flac' : 'mp3';
}

/** The format of samples that FFmpeg is not needed for; null for everything else. */
function sampleFormat(file: FileWindow, job: DecodeJob): WavFormat | null {
  if (job.container === 'wav') return readWavFormat(file);
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
