// `svc analyze FILE…`: recordings to a terminal, or to JSON lines.
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { recordingFrom } from '../../clients/typescript/src/node.ts';
import { SpeechServiceError, unreadableCode } from '../../clients/typescript/src/service-error.ts';
import { connectPatiently, serviceAddress } from '../client/address.ts';
import { concernsAll, failureAt, isOfOption } from '../client/blame.ts';
import { inOptions } from '../client/validate-order.ts';
import { exitCodeHelp, exitCodes } from './exit-codes.ts';
import { resultLines } from '../client/result-view.ts';
import {
  allTasks,
  requestOf,
  withAnalysisOptions,
  type AnalysisOptions,
} from './analysis-options.ts';

const help = `
${exitCodeHelp}

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
      requireShown(options);
      const address = serviceAddress(options, process.env);
      const { audio } = connectPatiently(address);
      for (const [i, file] of files.entries()) {
        const progress = showProgress(`${file} (${i + 1} of ${files.length})`);
        const startedAt = performance.now();
        let result: object;
        try {
          await requireFile(file);
          result = await audio.send(task, await recordingFrom(file), fields);
        } catch (error) {
          progress.clear();
          // The others would be waited for in vain, one after the other.
          if (isOfOption(error)) throw new Error(inOptions(error.message), { cause: error });
          if (concernsAll(error)) throw failureAt(address.base, error);
          process.exitCode = exitCodes.someFailed;
          reportFailure(file, error, options.json === true);
          continue;
        }
        progress.clear();
        const seconds = (performance.now() - startedAt) / 1_000;
        const text = options.json
          ? JSON.stringify({ file, result })
          : [file, ...resultLines(result, seconds)].join('\n  ');
        process.stdout.write(`${text}\n`);
      }
    });
}

/** @throws for what the answer would have, and lines for a terminal have not */
function requireShown({ includeLogits, json }: Options): void {
  if (!includeLogits || json) return;
  throw new Error('--include-logits requires --json: lines have the chosen labels alone');
}

/** A line that says what is being analysed, and for how long; a terminal alone gets it. */
function showProgress(what: string): { clear: () => void } {
  const { stderr } = process;
  if (!stderr.isTTY) return { clear: () => {} };
  const startedAt = performance.now();
  const show = (): void => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    stderr.write(`\r${what}: ${seconds} s`);
  };
  show();
  const timer = setInterval(show, 1_000);
  return {
    clear: () => {
      clearInterval(timer);
      // To the start of the line, and everything after it away; no colours, whatever NO_COLOR says.
      stderr.write('\r\u001B[K');
    },
  };
}

/** @throws when there is nothing to upload at the path */
async function requireFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new Error('there is no such file');
  if (found.isDirectory()) throw new Error('is a folder: svc bulk FOLDER --out RESULTS');
  if (!found.isFile()) throw new Error('is no file: write what comes from a pipe to one');
}

function reportFailure(file: string, error: unknown, json: boolean): void {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof SpeechServiceError ? error.code : unreadableCode;
  if (json) process.stdout.write(`${JSON.stringify({ file, error: { code, message } })}\n`);
  else process.stderr.write(`${file}: ${code}: ${message}\n`);
}
