// Chunks of a job: an encoder pass each, then words, their times, and scores, as far as they are
// asked for. The word decoder takes the chunks together.
import { timeWords } from '../alignment/word-aligner.ts';
import type { EncodedSpeech } from '../asr/moonshine-encoder.ts';
import type { Word, WrittenText } from '../asr/transcript.ts';
import type { SpelledWord } from '../asr/vocab.ts';
import type { ChunkAnalysis } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';
import type { ChunkOfJob } from './messages.ts';

/** One chunk on its way. */
interface Chunk extends ChunkOfJob {
  readonly pcm: Float32Array;
  /** null where only text is asked for, which has an encoder of its own. */
  readonly encoded: EncodedSpeech | null;
}

type Analysis = Omit<ChunkAnalysis, 'inferenceMs'>;

/** @param samples of all chunks, 16 kHz mono in -1..1, at most 30 s each */
export async function analyzeChunks(
  models: LoadedModels,
  samples: Float32Array,
  chunks: readonly ChunkOfJob[],
): Promise<readonly Analysis[]> {
  const opened: Chunk[] = [];
  let offset = 0;
  for (const chunk of chunks) {
    const pcm = samples.subarray(offset, (offset += chunk.samples));
    const { words, head } = chunk.request;
    const encoded = words || head !== null ? await models.encoder.encode(pcm) : null;
    opened.push({ ...chunk, pcm, encoded });
  }
  const heard = opened.flatMap(({ request, encoded }) =>
    request.words && encoded ? [encoded] : [],
  );
  const written = heard.length > 0 ? await models.decoder.decode(heard) : [];
  const spelled = new Map(heard.map((encoded, i) => [encoded, written[i]!] as const));
  const analyses: Analysis[] = [];
  for (const chunk of opened) {
    const own = chunk.encoded ? (spelled.get(chunk.encoded) ?? []) : [];
    analyses.push(await finish(models, chunk, own));
  }
  return analyses;
}

async function finish(
  models: LoadedModels,
  { pcm, encoded, request: { text, head: model, spans } }: Chunk,
  spelled: readonly SpelledWord[],
): Promise<Analysis> {
  const words = encoded && spelled.length > 0 ? await time(models, encoded, spelled) : [];
  const written = text ? await write(models, pcm) : null;
  const head = model === null ? null : models.heads.get(model);
  if (head === undefined) throw new Error(`no head is loaded for ${model}`);
  const readings = (encoded && (await head?.read(encoded, pcm, spans))) ?? [];
  return {
    words,
    written,
    scored: readings.map((row, i) => ({ ...spans[i]!, readings: row })),
  };
}

async function time(
  { phoneScorer, wordAligner }: LoadedModels,
  encoded: EncodedSpeech,
  spelled: readonly SpelledWord[],
): Promise<readonly Word[]> {
  return timeWords(spelled, await phoneScorer.score(encoded), wordAligner);
}

async function write({ writer }: LoadedModels, samples: Float32Array): Promise<WrittenText> {
  if (!writer) throw new Error('no model for text in several languages is loaded');
  return writer.transcribe(samples);
}
