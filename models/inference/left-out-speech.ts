// Whisper leaves out whole sentences of a chunk that has pauses, and is sure of what it wrote. A
// text that is too short for its speech is read again, piece by piece (docs/adr/0082).
import { sampleRate } from '../audio/sample-rate.ts';
import { joinReadings } from '../asr/sentence-case.ts';
import type { Word } from '../asr/transcript.ts';
import type { ChunkToTranscribe } from '../asr/whisper/temperature-fallback.ts';
import { bridgeGaps } from '../vad/active-runs.ts';
import { hopSamples } from '../vad/hops.ts';
import type { VoiceActivityModel } from '../vad/silero.ts';
import { findSpeechRegions, type SpeechRegion } from '../vad/speech-regions.ts';
import type { ChunkRecognizer, RecognisedText } from './chunk-recognizer.ts';

/** Letters for each second of speech; slow readers have 8, others 11 to 16. */
const leastLettersPerSecond = 6;
/** A shorter chunk has one sentence, which is left out as a whole or not at all. */
const leastSeconds = 7;
/** Pieces are joined while they stay within this ... */
const pieceSeconds = 6;
/** ... with pauses of up to this, and have so much around them. */
const pauseSeconds = 1;
const paddingSeconds = 0.3;
/** What is gained has to be more than other spellings of the same words. */
const leastGain = 1.15;

interface Piece {
  readonly startSample: number;
  readonly endSample: number;
}

/** The recogniser, whose texts of a chunk have all of its sentences. */
export function withLeftOutSpeech(
  recognizer: ChunkRecognizer,
  voiceActivity: VoiceActivityModel,
): ChunkRecognizer {
  return {
    async recognise(chunks, options) {
      const first = await recognizer.recognise(chunks, options);
      const completed: RecognisedText[] = [];
      for (const [i, own] of first.entries()) {
        const chunk = chunks[i]!;
        const pieces = mayBeIncomplete(own, chunk) ? await piecesOf(own, chunk, voiceActivity) : [];
        if (pieces.length < 2) completed.push(own);
        else {
          const parts = pieces.map(({ startSample, endSample }) => ({
            ...chunk,
            ...{ samples: chunk.samples.subarray(startSample, endSample) },
            ...{ language: own.language!, compare: false },
          }));
          completed.push(moreComplete(own, await recognizer.recognise(parts, options), pieces));
        }
      }
      return completed;
    },
  };
}

function mayBeIncomplete(
  { text, language }: RecognisedText,
  { samples, detectionOnly }: ChunkToTranscribe,
): boolean {
  const seconds = samples.length / sampleRate;
  if (text === '' || language === null || detectionOnly || seconds < leastSeconds) return false;
  // Of all of the chunk, before its speech is measured.
  return lettersOf(text) < leastLettersPerSecond * seconds;
}

/** The speech between pauses; [] where the text is long enough for it. */
async function piecesOf(
  { text }: RecognisedText,
  { samples }: ChunkToTranscribe,
  voiceActivity: VoiceActivityModel,
): Promise<readonly Piece[]> {
  const regions = findSpeechRegions(await voiceActivity.probabilities(samples));
  const speechHops = regions.reduce((sum, { startHop, endHop }) => sum + endHop - startHop, 0);
  const speechSeconds = (speechHops * hopSamples) / sampleRate;
  if (lettersOf(text) >= leastLettersPerSecond * speechSeconds) return [];
  const hops = (seconds: number): number => Math.floor((seconds * sampleRate) / hopSamples);
  const joined = bridgeGaps(regions, hops(pauseSeconds) + 1, hops(pieceSeconds));
  return joined.map((region, i) => padded(region, joined[i - 1], joined[i + 1], samples.length));
}

/** At most half of a pause belongs to the piece before it, and half to the one behind it. */
function padded(
  { startHop, endHop }: SpeechRegion,
  before: SpeechRegion | undefined,
  after: SpeechRegion | undefined,
  samples: number,
): Piece {
  const padding = paddingSeconds * sampleRate;
  const [start, end] = [startHop * hopSamples, Math.min(endHop * hopSamples, samples)];
  const least = before ? Math.ceil((before.endHop * hopSamples + start) / 2) : 0;
  const most = after ? Math.floor((end + after.startHop * hopSamples) / 2) : samples;
  return {
    startSample: Math.max(least, start - padding),
    endSample: Math.min(most, end + padding),
  };
}

/** The texts of the pieces as one, if they have clearly more than the text of the chunk. */
function moreComplete(
  whole: RecognisedText,
  parts: readonly RecognisedText[],
  pieces: readonly Piece[],
): RecognisedText {
  const text = parts
    .map((part) => part.text)
    .filter((part) => part !== '')
    .join(' ');
  if (lettersOf(text) <= leastGain * lettersOf(whole.text)) return whole;
  const words = parts.map((part, i) => moved(part.words, pieces[i]!.startSample / sampleRate));
  return { ...whole, text, words: joinReadings(words) };
}

function moved(words: readonly Word[], seconds: number): readonly Word[] {
  return words.map((word) => ({ ...word, start: word.start + seconds, end: word.end + seconds }));
}

function lettersOf(text: string): number {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').length;
}
