// The tool `analyse`: one recording of this machine, answered when its result is there.
import { rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { SpeechResult } from '../../../clients/typescript/src/schemas.ts';
import { requireEffect } from '../require-effect.ts';
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
    const form = formOf(fields);
    requireEffect(fields.task, form);
    const recording = await readRecording(path);
    // Before anything is charged: the file may exist, or be where nothing can be written.
    if (out !== undefined) await writeNew(out, '');
    const result = await withProgress(call, elapsed, () =>
      call.client.audio.send(fields.task, recording, form, { signal: call.signal }),
    ).catch(async (error: unknown) => {
      if (out !== undefined) await rm(out, { force: true });
      throw error;
    });
    const written = out === undefined ? [] : [await writeResult(out, result)];
    const lines = [
      ...resultLines(result, elapsed()),
      ...(result.redactions ?? []).map(({ kind, start }) => `removed: ${kind} at ${start} s`),
      `charged: ${result.usage.billable_seconds} s`,
      ...written,
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

/** What is paid for is told, whether or not it can be written. @returns what became of the file */
function writeResult(out: string, result: object): Promise<string> {
  return writeFile(out, `${JSON.stringify(result)}\n`).then(
    () => `the whole result is in ${out}`,
    (error: unknown) => `the whole result could not be written: ${String(error)}`,
  );
}
