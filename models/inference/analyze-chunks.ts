// The chunks of a job: one encoder pass each, then words with their times, texts and scores as
// requested. The decoders take the chunks together.
import type { ChunkAnalysis, ScoredSpan } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';
import type { ChunkOfJob } from './messages.ts';
import {
  mayBeEnglish,
  recogniseChunks,
  transcribeChunks,
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
  const texts = await transcribeChunks(models, opened);
  const analyses: Analysis[] = [];
  for (const chunk of opened) {
    analyses.push({
      ...(recognised.get(chunk) ?? noWords),
      written: texts.get(chunk) ?? null,
      scored: await scoreSpans(models, chunk),
    });
  }
  return analyses;
}

const noWords: Recognised = { words: [], language: null, languages: null, english: null };

async function scoreSpans(
  models: LoadedModels,
  { pcm, encoded, request: { head: model, spans } }: ChunkToRecognise,
): Promise<readonly ScoredSpan[]> {
  const head = model === null ? null : models.heads.get(model);
  if (head === undefined) throw new Error(`no head is loaded for ${model}`);
  const readings = (encoded && (await head?.read(encoded, pcm, spans))) ?? [];
  return readings.map((row, i) => ({ ...spans[i]!, readings: row }));
}
