// `svc analyze FILE…`: recordings to a terminal, or to JSON lines.
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { recordingFrom } from '../../clients/typescript/src/node.ts';
import { SpeechServiceError } from '../../clients/typescript/src/service-error.ts';
import { connect, serviceAddress } from '../client/address.ts';
import { resultLines } from '../client/result-view.ts';
import {
  allTasks,
  requestOf,
  withAnalysisOptions,
  type AnalysisOptions,
} from './analysis-options.ts';

const someFailed = 2;
const help = `
Exit code: 0 all recordings were analysed, 2 some failed, 1 nothing was sent.

  svc analyze call.mp3
  svc analyze --task transcription --diarize --json *.wav > results.jsonl`;

interface Options extends AnalysisOptions {
  readonly json?: boolean;
}

export function addAnalyzeCommand(program: Command): void {
  withAnalysisOptions(program.command('analyze <file...>'), allTasks)
    .description('analyse recordings and print the results')
    .option('--json', 'print a line of JSON per recording: {"file", "result"} or {"file", "error"}')
    .addHelpText('after', help)
    .action(async (files: readonly string[], options: Options) => {
      const { task, fields } = requestOf(options);
      const { audio } = connect(serviceAddress(options, process.env));
      for (const file of files) {
        const startedAt = performance.now();
        try {
          await requireFile(file);
          const result = await audio.send(task, await recordingFrom(file), fields);
          const seconds = (performance.now() - startedAt) / 1_000;
          const text = options.json
            ? JSON.stringify({ file, result })
            : [`${file}`, ...resultLines(result, seconds)].join('\n  ');
          process.stdout.write(`${text}\n`);
        } catch (error) {
          process.exitCode = someFailed;
          reportFailure(file, error, options.json === true);
        }
      }
    });
}

/** @throws when there is nothing to upload at the path */
async function requireFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new Error('there is no such file');
  if (found.isDirectory()) throw new Error('is a folder: svc bulk FOLDER --out RESULTS');
}

function reportFailure(file: string, error: unknown, json: boolean): void {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof SpeechServiceError ? error.code : 'unreadable_file';
  if (json) process.stdout.write(`${JSON.stringify({ file, error: { code, message } })}\n`);
  else process.stderr.write(`${file}: ${code}: ${message}\n`);
}
