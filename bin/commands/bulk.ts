// `svc bulk DIR --out DIR`: every recording of a folder, with a progress bar; it goes on where an
// earlier run was stopped.
import { SingleBar } from 'cli-progress';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { serviceAddress } from '../client/address.ts';
import { runBulk, type BulkEvents } from '../client/bulk-run.ts';
import { parseWhole } from './arguments.ts';
import { requestOf, withAnalysisOptions, type AnalysisOptions } from './analysis-options.ts';

const someFailed = 2;
const interrupted = 130;
const help = `
Results are OUT/<path>.json, one per recording; OUT/journal.jsonl says what became of each. Run the
same command again and it goes on: a recording is known by its content, path and options, and one
that the service refused for good is not sent again.

Exit code: 0 everything is there, 2 some recordings failed, 130 stopped by Ctrl-C, 1 nothing was
tried.

  svc bulk calls --task analysis --diarize --out results`;

interface Options extends AnalysisOptions {
  readonly out: string;
  readonly concurrency: number;
  readonly json?: boolean;
}

export function addBulkCommand(program: Command): void {
  withAnalysisOptions(program.command('bulk <folder>'))
    .description('analyse every recording of a folder')
    .requiredOption('--out <folder>', 'where the results go')
    .option('--concurrency <n>', 'recordings under way at once', parseWhole('--concurrency', 1), 4)
    .option('--json', 'print a line of JSON per recording on standard output')
    .addHelpText('after', help)
    .action(async (folder: string, options: Options) => {
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort());
      const progress = options.json ? jsonLines() : progressBar();
      const summary = await runBulk(
        {
          folder: resolve(folder),
          out: resolve(options.out),
          address: serviceAddress(options, process.env),
          request: requestOf(options),
          concurrency: options.concurrency,
          signal: stop.signal,
        },
        progress.events,
      );
      progress.end();
      const { done, skipped, failed, left } = summary;
      const counts = `${skipped} from an earlier run, ${failed} failed, ${left} left`;
      process.stderr.write(`${done} analysed, ${counts}\n`);
      if (stop.signal.aborted) process.exitCode = interrupted;
      else if (failed > 0) process.exitCode = someFailed;
    });
}

interface Progress {
  readonly events: BulkEvents;
  end(): void;
}

function jsonLines(): Progress {
  return {
    events: {
      planned: () => {},
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
  return {
    events: {
      planned: ({ total, skipped }) => bar.start(total, skipped),
      finished: ({ path, outcome, code, message }) => {
        if (outcome === 'failed') process.stderr.write(`${path}: ${code}: ${message}\n`);
        bar.increment();
      },
    },
    end: () => bar.stop(),
  };
}
