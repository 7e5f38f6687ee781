// The chunks of a job: one encoder pass each, then words with their times and scores as requested.
// The word decoder takes the chunks together.
import { timeWords } from '../alignment/word-aligner.ts';
import type { EncodedSpeech } from '../asr/moonshine-encoder.ts';
import { likeliestLanguage } from '../asr/whisper/language-choice.ts';
import type { WhisperRecognizer } from '../asr/whisper/recognizer.ts';
import type { ChunkAnalysis } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';
import type { ChunkOfJob } from './messages.ts';

/** A chunk after its encoder pass. */
interface Chunk extends ChunkOfJob {
  readonly pcm: Float32Array;
  /** null where nothing reads it: other languages have an encoder of their own. */
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
    const { words, language, head } = chunk.request;
    const reads = (words && language === 'en') || head !== null;
    const encoded = reads ? await models.encoder.encode(pcm) : null;
    opened.push({ ...chunk, pcm, encoded });
  }
  const english = await byMoonshine(models, opened);
  const others = await byWhisper(models, opened);
  const analyses: Analysis[] = [];
  for (const chunk of opened) {
    const recognised = english.get(chunk) ?? others.get(chunk) ?? nothing;
    analyses.push(await finish(models, chunk, recognised));
  }
  return analyses;
}

type Recognised = Pick<ChunkAnalysis, 'words' | 'language' | 'languages'>;
const nothing: Recognised = { words: [], language: null, languages: null };

function isEnglish({ request }: Chunk): boolean {
  return request.words && request.language === 'en';
}

/** Words of the English chunks, decoded together, with the times that the phone aligner finds. */
async function byMoonshine(
  { decoder, phoneScorer, wordAligner }: LoadedModels,
  chunks: readonly Chunk[],
): Promise<ReadonlyMap<Chunk, Recognised>> {
  const english = chunks.flatMap((chunk) =>
    isEnglish(chunk) && chunk.encoded ? [{ chunk, encoded: chunk.encoded }] : [],
  );
  if (english.length === 0) return new Map();
  const spelled = await decoder.decode(english.map(({ encoded }) => encoded));
  const recognised = new Map<Chunk, Recognised>();
  for (const [i, { chunk, encoded }] of english.entries()) {
    const own = spelled[i]!;
    const words =
      own.length > 0 ? timeWords(own, await phoneScorer.score(encoded), wordAligner) : [];
    recognised.set(chunk, { words, language: 'en', languages: null });
  }
  return recognised;
}

async function byWhisper(
  models: LoadedModels,
  chunks: readonly Chunk[],
): Promise<ReadonlyMap<Chunk, Recognised>> {
  const others = chunks.filter((chunk) => chunk.request.words && !isEnglish(chunk));
  if (others.length === 0) return new Map();
  const recognised = await transcriberOf(models).recognise(
    others.map(({ pcm, request }) => ({
      samples: pcm,
      language: request.language ?? likeliestLanguage,
    })),
  );
  return new Map(others.map((chunk, i) => [chunk, recognised[i]!]));
}

async function finish(
  models: LoadedModels,
  { pcm, encoded, request: { text, head: model, spans } }: Chunk,
  recognised: Recognised,
): Promise<Analysis> {
  const written = text ? await transcriberOf(models).transcribe(pcm) : null;
  const head = model === null ? null : models.heads.get(model);
  if (head === undefined) throw new Error(`no head is loaded for ${model}`);
  const readings = (encoded && (await head?.read(encoded, pcm, spans))) ?? [];
  return {
    ...recognised,
    written,
    scored: readings.map((row, i) => ({ ...spans[i]!, readings: row })),
  };
}

function transcriberOf({ transcriber }: LoadedModels): WhisperRecognizer {
  if (!transcriber) throw new Error('no model for text in several languages is loaded');
  return transcriber;
}
