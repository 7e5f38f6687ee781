// `svc redact RESULT --audio FILE --out FILE`: covers what the transcript lacks in its recording.
import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { z } from 'zod';
import { covers, type Cover } from '../../models/audio/cover.ts';
import { coveredRecording } from '../client/covered-recording.ts';
import { readBody } from '../client/read-result.ts';

const help = `
The result is one of svc analyze --json or svc bulk with --redact or --redact-names; the recording
becomes a mono WAV of 16 kHz. What was covered is printed, a line of JSON each.

  svc bulk calls --redact card,phone --out results
  svc redact results/call.mp3.json --audio calls/call.mp3 --out call.wav`;

const resultSchema = z.object({
  redactions: z.array(
    z.object({
      kind: z.string(),
      start: z.number(),
      end: z.number(),
      speaker: z.string().nullable(),
    }),
  ),
});

interface Options {
  readonly audio: string;
  readonly out: string;
  readonly cover: Cover;
  readonly overwrite?: boolean;
}

export function addRedactCommand(program: Command): void {
  program
    .command('redact <result>')
    .description('cover removed speech in its recording')
    .requiredOption('--audio <file>', 'recording of the result')
    .requiredOption('--out <file>', 'WAV that is written; never over the recording')
    .option('--overwrite', 'replace an existing file')
    .addOption(new Option('--cover <cover>', 'instead of speech').choices(covers).default('beep'))
    .addHelpText('after', help)
    .action(async (path: string, { audio, out, cover, overwrite = false }: Options) => {
      requireFree(out, { audio, overwrite });
      const body = (await readBody(path)) as { readonly result?: unknown } | null;
      const parsed = resultSchema.safeParse(body?.result ?? body);
      if (!parsed.success)
        throw new Error(`${path} has no redactions: analyse with --redact or --redact-names`);
      const spans = parsed.data.redactions;
      await writeFile(out, await coveredRecording({ path: audio, spans, cover }));
      for (const span of spans) process.stdout.write(`${JSON.stringify(span)}\n`);
    });
}

/** @throws for the recording itself, by whatever name, and for a file that is to be kept */
function requireFree(
  out: string,
  { audio, overwrite }: { readonly audio: string; readonly overwrite: boolean },
): void {
  const [there, recording] = [out, audio].map((path) => statSync(path, { throwIfNoEntry: false }));
  // What is no file, such as a pipe, has nothing to lose.
  if (!there?.isFile()) return;
  if (there.dev === recording?.dev && there.ino === recording.ino)
    throw new Error(`--out ${out} is the recording, which would be lost: name another file`);
  if (!overwrite) throw new Error(`${out} exists: name another file, or add --overwrite`);
}
