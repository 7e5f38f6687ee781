// The chunks of a job: an encoder pass each, and another one where scores are read from another
// encoder; then words with their times, texts and scores as requested. The decoders take the chunks
// together.
import type { ChunkToRecognise } from './assigned-recognizers.ts';
import type { ChunkAnalysis, ScoredSpan } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';
import type { ChunkOfJob } from './messages.ts';
import {
  mayBeEnglish,
  recogniseChunks,
  transcribeChunks,
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
    const encoded = mayBeEnglish(models, { request })
      ? await models.recognizer.encoder.encode(pcm)
      : null;
    opened.push({ request, pcm, encoded });
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
  { heads, recognizer, features }: LoadedModels,
  { pcm, encoded, request: { head: model, spans } }: ChunkToRecognise,
): Promise<readonly ScoredSpan[]> {
  if (model === null) return [];
  const head = heads.get(model);
  if (!head) throw new Error(`no head is loaded for ${model}`);
  const shared = recognizer.encoder === features.encoder ? encoded : null;
  const layers = shared ?? (await features.encoder.encode(pcm));
  const readings = await head.read(layers, pcm, spans);
  return readings.map((row, i) => ({ ...spans[i]!, readings: row }));
}
