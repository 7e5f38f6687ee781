// The chunks of a job: one encoder pass each, then words with their times and scores as requested.
// The word decoders take the chunks together.
import type { ChunkAnalysis } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';
import type { ChunkOfJob } from './messages.ts';
import {
  mayBeEnglish,
  recogniseChunks,
  transcriberOf,
  type ChunkToRecognise,
  type Recognised,
} from './recognise-chunks.ts';

type Analysis = Omit<ChunkAnalysis, 'inferenceMs'>;

/** @param samples of all chunks, 16 kHz mono in -1..1, at most 30 s each */
export async function analyzeChunks(
  models: LoadedModels,
  samples: Float32Array,
  chunks: readonly ChunkOfJob[],
): Promise<readonly Analysis[]> {
  const opened: ChunkToRecognise[] = [];
  let offset = 0;
  for (const { samples: length, request } of chunks) {
    const pcm = samples.subarray(offset, (offset += length));
    const reads = mayBeEnglish(request) || request.head !== null;
    opened.push({ request, pcm, encoded: reads ? await models.encoder.encode(pcm) : null });
  }
  const recognised = await recogniseChunks(models, opened);
  const analyses: Analysis[] = [];
  for (const chunk of opened) {
    analyses.push(await finish(models, chunk, recognised.get(chunk) ?? nothing));
  }
  return analyses;
}

const nothing: Recognised = { words: [], language: null, languages: null, english: null };

async function finish(
  models: LoadedModels,
  { pcm, encoded, request: { text, head: model, spans } }: ChunkToRecognise,
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
