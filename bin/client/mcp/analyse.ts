// The tool `analyse`: one recording of this machine, answered when its result is there.
import { z } from 'zod';
import type { SpeechResult } from '../../../clients/typescript/src/schemas.ts';
import { resultLines } from '../result-view.ts';
import { outPath, readRecording, writeNew } from './paths.ts';
import { analysisFields, type AnalysisFields } from './request-fields.ts';
import type { Tool, ToolCall } from './tool.ts';

const input = z.object({
  path: z.string().min(1).describe('Absolute path of the recording.'),
  ...analysisFields,
  out: outPath.describe(
    'Absolute path of a new file for the whole result as JSON, which `export` reads.',
  ),
});

/** A client gives up after a minute without a sign. */
const progressMs = 5_000;

export const analyseTool: Tool<typeof input> = {
  name: 'analyse',
  title: 'Analyse a recording',
  description:
    'Transcribes and scores one audio file (WAV, FLAC, MP3, M4A, OGG, WebM; up to 60 minutes): ' +
    'segments with times, words, speakers, emotions and styles. Costs plan minutes. ' +
    'For many recordings use `batch`.',
  input,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  run: async ({ path, out, ...fields }, call) => {
    const startedAt = performance.now();
    const elapsed = (): number => (performance.now() - startedAt) / 1_000;
    const recording = await readRecording(path);
    const result = await withProgress(call, elapsed, () =>
      call.client.audio.send(fields.task, recording, formOf(fields), { signal: call.signal }),
    );
    if (out !== undefined) await writeNew(out, `${JSON.stringify(result)}\n`);
    const lines = [
      ...resultLines(result, elapsed()),
      ...(result.redactions ?? []).map(({ kind, start }) => `removed: ${kind} at ${start} s`),
      `charged: ${result.usage.billable_seconds} s`,
      ...(out === undefined ? [] : [`the whole result is in ${out}`]),
    ];
    return { text: lines.join('\n'), data: { result: withoutWords(result) } };
  },
};

async function withProgress<T>(
  { progress }: ToolCall,
  elapsed: () => number,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => {
    const done = Math.round(elapsed());
    progress({ done, message: `being analysed for ${done} s` });
  }, progressMs);
  return work().finally(() => clearInterval(timer));
}

function formOf(fields: AnalysisFields): Readonly<Record<string, string | number | undefined>> {
  const { model, diarize, num_speakers, language, format_numbers, redact, redact_names } = fields;
  return {
    model,
    num_speakers: num_speakers ?? undefined,
    language,
    diarize: diarize ? 'true' : undefined,
    format_numbers: format_numbers ? 'true' : undefined,
    redact: redact.join(',') || undefined,
    redact_names: redact_names.join(',') || undefined,
    vocabulary: fields.vocabulary.join('\n') || undefined,
  };
}

/** Words, scores and logits are most of a result, and a model has read the text. */
function withoutWords({ segments, ...result }: SpeechResult): Record<string, unknown> {
  const shown = segments.map(({ start, end, text, speaker, emotions, styles }) => {
    return { start, end, text, speaker, emotions, styles };
  });
  return { ...result, segments: shown };
}
