// The expected cost of a job on one core, so that organizations are charged before it runs.
import { sampleRate } from '../audio/sample-rate.ts';
import type { ChunkOfJob, Job } from './messages.ts';

/** A job of a clip: it may join a process that runs other jobs, and it finishes in one slice. */
export const shortJobMs = 300;

/** Milliseconds per second of audio, on one core; docs/benchmarks/speed.md has later figures. */
const perSecond = { voiceActivity: 1.6, encode: 10, decode: 10, transcribe: 20 };
/** Whisper reads a second in a window of 30 s, too, though with few states (docs/adr/0070). */
const minTranscribeMs = 120;
const perWindowMs = 15;
const minMs = 1;

/** Milliseconds, above 0; what a job takes beyond them is charged when it has ended. */
export function expectedMs(job: Job, samples: number): number {
  return Math.max(minMs, ofKind(job, samples / sampleRate));
}

function ofChunk({ samples, request }: ChunkOfJob): number {
  const { words, language, unlikelyEnglish, englishParts, text, head } = request;
  const seconds = samples / sampleRate;
  // Words whose language nobody has named are recognised as English first, and most are.
  const asEnglish = words && (language === 'en' || (language === null && !unlikelyEnglish));
  const encodes = asEnglish || englishParts || head !== null;
  const transcribes = text || (words && !asEnglish);
  return (
    (encodes ? seconds * perSecond.encode : 0) +
    (asEnglish ? seconds * perSecond.decode : 0) +
    (transcribes ? Math.max(minTranscribeMs, seconds * perSecond.transcribe) : 0)
  );
}

function ofKind(job: Job, seconds: number): number {
  switch (job.kind) {
    case 'voiceActivity':
      return seconds * perSecond.voiceActivity;
    case 'analyze':
      return job.chunks.reduce((sum, chunk) => sum + ofChunk(chunk), 0);
    case 'pronounce':
    case 'countSpeakers':
      return seconds * perSecond.encode;
    case 'embedSpeakers':
      return job.startSamples.length * perWindowMs;
  }
}
