// One chunk: one encoder pass, then words, their times, and scores, as far as they are asked for.
import { sampleRate } from '../contract/sample-rate.ts';
import type { TimeSpan } from '../affect/head.ts';
import { timeWords } from '../alignment/word-aligner.ts';
import type { EncodedSpeech } from '../asr/moonshine-encoder.ts';
import { splitSegments } from '../asr/segments.ts';
import type { Word, WrittenText } from '../asr/transcript.ts';
import type { ChunkAnalysis, ChunkRequest } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';

/** @param samples 16 kHz mono in -1..1, at most 30 s */
export async function analyzeChunk(
  models: LoadedModels,
  samples: Float32Array,
  { words: wantsWords, text, head: model, spans }: ChunkRequest,
): Promise<Omit<ChunkAnalysis, 'inferenceMs'>> {
  // Text alone has an encoder of its own.
  const encoded = wantsWords || model !== null ? await models.encoder.encode(samples) : null;
  const words = encoded && wantsWords ? await recognize(models, encoded) : [];
  const written = text ? await write(models, samples) : null;
  const scored = model === null ? [] : (spans ?? segmentsOf(words, samples.length / sampleRate));
  const head = model === null ? null : models.heads.get(model);
  if (head === undefined) throw new Error(`no head is loaded for ${model}`);
  const logits = (encoded && (await head?.score(encoded, scored))) ?? [];
  return {
    words,
    written,
    scored: scored.map(({ start, end }, i) => ({ start, end, logits: logits[i]! })),
  };
}

async function recognize(
  { decoder, phoneScorer, wordAligner }: LoadedModels,
  encoded: EncodedSpeech,
): Promise<readonly Word[]> {
  const spelled = await decoder.decode(encoded);
  if (spelled.length === 0) return [];
  return timeWords(spelled, await phoneScorer.score(encoded), wordAligner);
}

async function write({ writer }: LoadedModels, samples: Float32Array): Promise<WrittenText> {
  if (!writer) throw new Error('no model for text in several languages is loaded');
  return writer.transcribe(samples);
}

/** Segments of the words; the whole chunk when it has none. */
function segmentsOf(words: readonly Word[], durationSeconds: number): readonly TimeSpan[] {
  if (words.length === 0) return [{ start: 0, end: durationSeconds }];
  return splitSegments(words).map((segment) => ({
    start: segment[0]!.start,
    end: segment.at(-1)!.end,
  }));
}
