// `svc bulk DIR --out DIR`: analyses every recording of a folder, and resumes an earlier run.
import { SingleBar } from 'cli-progress';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { BatchRequest } from '../../clients/typescript/src/schemas.ts';
import { connect, serviceAddress } from '../client/address.ts';
import { runBulk, type BulkEvents } from '../client/bulk-run.ts';
import { batchTasks } from '../../api/batches/schemas.ts';
import { validateOrder } from '../client/validate-order.ts';
import { parseWhole } from './arguments.ts';
import { requireTask, withAnalysisOptions, type AnalysisOptions } from './analysis-options.ts';

const someFailed = 2;
const interrupted = 130;
const help = `
The recordings are uploaded and analysed as batches, which continue on the service if this command
is stopped. Results are written to OUT/<path>.json, one per recording; OUT/journal.jsonl records the
outcome of each. The same command resumes an earlier run: recordings are identified by content, path
and options, batches in progress are found again, and recordings that the service rejected are not
sent again. Audio and results are deleted from the service once they are downloaded.

With --channels separate each channel is one speaker; --roles names the speakers in the order of the
channels.

Exit code: 0 all results are present, 2 some recordings failed, 130 stopped by Ctrl-C, 1 nothing was
sent.

  svc bulk calls --task analysis --diarize --out results
  svc bulk calls --channels separate --roles agent,customer --out results`;

const afterInterrupt =
  'Batches that were created go on on the service; the same command collects their results.\n';

interface Options extends AnalysisOptions {
  readonly out: string;
  readonly uploads: number;
  readonly channels?: string;
  readonly roles?: string;
  readonly json?: boolean;
}

export function addBulkCommand(program: Command): void {
  withAnalysisOptions(program.command('bulk <folder>'), batchTasks)
    .description('analyse every recording of a folder')
    .requiredOption('--out <folder>', 'folder of the results')
    .option('--channels <mix|separate>', 'separate: one speaker per channel')
    .option('--roles <names>', 'speaker of each channel, separated by commas')
    .option('--uploads <n>', 'concurrent uploads', parseWhole('--uploads', 1), 4)
    .option('--json', 'print a line of JSON per recording on standard output')
    .addHelpText('after', help)
    .action(async (folder: string, options: Options) => {
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort());
      const request = orderOf(options);
      const progress = options.json ? jsonLines() : progressBar();
      const summary = await runBulk(
        {
          folder: resolve(folder),
          out: resolve(options.out),
          client: connect(serviceAddress(options, process.env)),
          request,
          uploads: options.uploads,
          signal: stop.signal,
        },
        progress.events,
      );
      progress.end();
      const { done, skipped, failed, left } = summary;
      const counts = `${skipped} from an earlier run, ${failed} failed, ${left} left`;
      process.stderr.write(`${done} analysed, ${counts}\n`);
      if (stop.signal.aborted) process.stderr.write(afterInterrupt);
      if (stop.signal.aborted) process.exitCode = interrupted;
      else if (failed > 0) process.exitCode = someFailed;
    });
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
      ...(options.numSpeakers && { num_speakers: Number(options.numSpeakers) }),
      ...(options.includeLogits && { include_logits: true }),
      ...(options.language && { language: options.language }),
      ...(options.formatNumbers && { format_numbers: true }),
      ...(options.redact && { redact: options.redact.split(',') }),
      ...(options.redactNames && { redact_names: options.redactNames.split(',') }),
      ...(channels && { channels }),
      ...(roles && { channel_roles: roles.split(',') }),
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
    format: '{bar} {value}/{total} · {eta_formatted} left',
    stream: process.stderr,
    noTTYOutput: false,
    etaBuffer: 50,
  });
  let before = 0;
  return {
    events: {
      planned: ({ total, skipped }) => {
        before = skipped;
        bar.start(total, skipped);
      },
      progressed: (ended) => bar.update(before + ended),
      finished: ({ path, outcome, code, message }) => {
        if (outcome === 'failed') process.stderr.write(`${path}: ${code}: ${message}\n`);
      },
    },
    end: () => bar.stop(),
  };
}
