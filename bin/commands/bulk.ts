// `svc bulk DIR --out DIR`: analyses every recording of a folder, and resumes an earlier run.
import { SingleBar } from 'cli-progress';
import { extname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { BatchRequest } from '../../clients/typescript/src/schemas.ts';
import { fileExtensions } from '../../models/contract/containers.ts';
import { termsOf } from '../../models/contract/vocabulary.ts';
import { keyPresses } from '../process/key-presses.ts';
import { connectPatiently, serviceAddress } from '../client/address.ts';
import { failureAt } from '../client/blame.ts';
import { listFolder } from '../client/bulk-folder.ts';
import { runBulk, type BulkEvents, type BulkOptions } from '../client/bulk-run.ts';
import { exitCodeHelp, exitCodes } from './exit-codes.ts';
import { watchFolder } from '../client/folder-changes.ts';
import { batchTasks } from '../../api/batches/schemas.ts';
import { validateOrder } from '../client/validate-order.ts';
import { listOf, parseText, parseWhole } from './arguments.ts';
import { requireTask, withAnalysisOptions, type AnalysisOptions } from './analysis-options.ts';

/** A recording that is being written changes more often. */
const quietMs = 3_000;
const maxShownEndings = 8;
const help = `
The recordings are uploaded and analysed as batches, which continue on the service if this command
is stopped. Results are written to OUT/<path>.json, one per recording; OUT/journal.jsonl records the
outcome of each. The same command resumes an earlier run: recordings are identified by content, path
and options, batches in progress are found again, and recordings that the service rejected are not
sent again. Links to files are followed, links to folders and hidden files are not; how many other
files were left out is printed, and a folder without a recording is no failure. What the account
does not allow ends the run; the rest is left for the next. A service that goes away during the run
is waited for, up to five minutes. Audio and results are deleted from the service once
they are downloaded.

With --channels separate each channel is one speaker; --roles names the speakers in the order of the
channels.

With --watch the command goes on until Ctrl-C: recordings that are added to the folder later are
analysed too. One that is being written waits until it has been still for three seconds; so does the
beginning.

${exitCodeHelp}

  svc bulk calls --task analysis --diarize --out results
  svc bulk calls --channels separate --roles agent,customer --out results`;

const afterInterrupt =
  'Batches that were created go on on the service; the same command collects their results.\n';

interface Options extends AnalysisOptions {
  readonly out: string;
  readonly uploads: number;
  readonly channels?: string;
  readonly roles?: string;
  readonly watch?: boolean;
  readonly json?: boolean;
}

export function addBulkCommand(program: Command): void {
  withAnalysisOptions(program.command('bulk'), batchTasks)
    .argument('<folder>', 'recordings, and folders of recordings', parseText('<folder>'))
    .description('analyse every recording of a folder')
    .requiredOption('--out <folder>', 'folder of the results', parseText('--out'))
    .option(
      '--channels <mix|separate>',
      'separate: one speaker per channel',
      parseText('--channels'),
    )
    .option('--roles <names>', 'speaker of each channel, separated by commas', parseText('--roles'))
    .option('--uploads <n>', 'concurrent uploads', parseWhole('--uploads', 1), 4)
    .option('--watch', 'go on with recordings that are added to the folder, until Ctrl-C')
    .option('--json', 'print a line of JSON per recording on standard output')
    .addHelpText('after', help)
    .action(async (folder: string, options: Options) => {
      const stop = new AbortController();
      stopOnInterrupt(stop);
      const address = serviceAddress(options, process.env);
      const run = {
        folder: resolve(folder),
        out: resolve(options.out),
        client: connectPatiently(address),
        request: orderOf(options),
        uploads: options.uploads,
        signal: stop.signal,
      };
      const { watch = false, json = false } = options;
      try {
        const failed = await (watch ? runPasses(run, json) : runPass(run, json));
        if (failed > 0) process.exitCode = exitCodes.someFailed;
      } catch (error) {
        // Nothing is watched any more.
        stop.abort();
        throw failureAt(address.base, error);
      }
      if (!stop.signal.aborted) return;
      process.stderr.write(afterInterrupt);
      process.exitCode = exitCodes.interrupted;
    });
}

/** In order at the first Ctrl-C, at once at a later one. */
function stopOnInterrupt(stop: AbortController): void {
  const press = keyPresses();
  process.on('SIGINT', () => {
    if (press() === 'later') process.exit(exitCodes.interrupted);
    stop.abort();
  });
}

/** One pass after another until the signal is aborted. @returns and @throws as `runPass` */
async function runPasses(run: BulkOptions, json: boolean): Promise<number> {
  const { folder, out, signal } = run;
  await listFolder(folder);
  const { rested, isMoving } = watchFolder(folder, { quietMs, signal, out });
  // What was being written before shows itself meanwhile.
  await sleep(quietMs, null, { signal }).catch(() => {});
  let failed = 0;
  while (!signal.aborted) {
    failed += await runPass({ ...run, isMoving }, json);
    await rested();
  }
  return failed;
}

/**
 * Everything that is in the folder now. @returns the number of recordings that failed
 * @throws what concerns all of them
 */
async function runPass(run: BulkOptions, json: boolean): Promise<number> {
  const progress = json ? jsonLines() : progressBar();
  const summary = await runBulk(run, progress.events);
  const { done, skipped, failed, left, leftOut, failure } = summary;
  progress.end();
  if (leftOut.length > 0) process.stderr.write(`${leftOutText(leftOut)}\n`);
  if (done + skipped + failed + left === 0) process.stderr.write(noRecordingText(run.folder));
  const counts = `${skipped} from an earlier run, ${failed} failed, ${left} left`;
  process.stderr.write(`${done} analysed, ${counts}\n`);
  if (failure !== null) throw failure;
  return failed;
}

function leftOutText(paths: readonly string[]): string {
  const endings = [...new Set(paths.map((path) => extname(path) || 'no ending'))].toSorted();
  const more = endings.length > maxShownEndings ? ', …' : '';
  const shown = `(${endings.slice(0, maxShownEndings).join(', ')}${more})`;
  return paths.length === 1
    ? `1 other file was left out ${shown}`
    : `${paths.length} other files were left out ${shown}`;
}

function noRecordingText(folder: string): string {
  return `no recording in ${folder}; they end in ${[...fileExtensions].join(', ')}\n`;
}

/** @throws for options that the service would reject, before anything is uploaded */
function orderOf(options: Options): Omit<BatchRequest, 'items'> {
  const { task, model, channels, roles } = options;
  requireTask(task, batchTasks);
  const order: unknown = {
    task,
    ...(model && { model }),
    options: {
      ...(options.diarize && { diarize: true }),
      ...(options.numSpeakers && { num_speakers: options.numSpeakers }),
      ...(options.includeLogits && { include_logits: true }),
      ...(options.language && { language: options.language }),
      ...(options.formatNumbers && { format_numbers: true }),
      ...(options.redact && { redact: listOf(options.redact) }),
      // As they are: the journal knows the results of earlier runs by the text of the order.
      ...(options.redactNames && { redact_names: options.redactNames.split(',') }),
      ...(options.vocabulary && { vocabulary: [...termsOf(options.vocabulary)] }),
      ...(channels && { channels }),
      ...(roles && { channel_roles: roles.split(',').map((role) => role.trim()) }),
    },
  };
  validateOrder(order);
  return order;
}

interface Progress {
  readonly events: BulkEvents;
  end(): void;
}

function jsonLines(): Progress {
  return {
    events: {
      planned: () => {},
      progressed: () => {},
      finished: (entry) => process.stdout.write(`${JSON.stringify(entry)}\n`),
    },
    end: () => {},
  };
}

/** Failures are lines above the bar; without a terminal there are only the lines. */
function progressBar(): Progress {
  const bar = new SingleBar({
    // What is done of long recordings moves the bar before any of them has ended.
    format: '{bar} {percentage}% · {ended}/{total} · {eta_formatted} left',
    stream: process.stderr,
    noTTYOutput: false,
    etaBuffer: 50,
  });
  let before = 0;
  return {
    events: {
      planned: ({ total, skipped }) => {
        before = skipped;
        bar.start(total, skipped, { ended: skipped });
      },
      progressed: ({ ended, done }) => bar.update(before + done, { ended: before + ended }),
      finished: ({ path, outcome, code, message }) => {
        if (outcome === 'failed') process.stderr.write(`${path}: ${code}: ${message}\n`);
      },
    },
    end: () => bar.stop(),
  };
}
