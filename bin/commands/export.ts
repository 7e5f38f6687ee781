// `svc export RESULT… --format srt`: converts results to the formats of other programs.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { recordingPeaks } from '../client/recording-peaks.ts';
import { exportFormats, type ExportFormat } from '../../models/exports/formats.ts';
import {
  documentName,
  exportOne,
  exportTogether,
  formatNames,
  requireFormat,
  toldApart,
  type ResultFile,
} from '../client/exports.ts';
import { readResults, type ReadResults } from '../client/read-result.ts';
import { exitCodes } from './exit-codes.ts';

const formats = Object.entries(exportFormats)
  .map(([name, { purpose }]) => `  ${name.padEnd(8)} ${purpose}`)
  .join('\n');

const help = `
${formats}

A file of lines, as analyze --json prints them, has several results. Several make one document as
csv (with a column that names the recording), rttm and metrics; with --out every format has a
document per result. Recordings of the same name are told apart by their folders.

  svc bulk calls --diarize --out results
  svc export results/call.mp3.json --format vtt > call.vtt
  svc export results/*.json --format csv > calls.csv
  svc export results.jsonl --format srt --out subtitles
  svc export results/*.json --format srt --out subtitles
  svc export results/call.mp3.json --format html --audio calls/call.mp3 > call.html`;

interface Options {
  readonly format: string;
  readonly audio?: string;
  readonly out?: string;
}

export function addExportCommand(program: Command): void {
  program
    .command('export <result...>')
    .description('convert results of analyze --json or bulk to another format')
    .requiredOption('--format <format>', formatNames.join(', '))
    .option('--audio <file>', 'recording of the result, for the waveform of html')
    .option('--out <folder>', 'write a document per result instead of printing one')
    .addHelpText('after', help)
    .action(async (paths: readonly string[], options: Options) => {
      const format = requireFormat(options.format);
      const read: ReadResults[] = [];
      // One by one: a folder has more results than a process may open files.
      for (const path of paths) read.push(await readResults(path));
      const failures = read.flatMap((each) => each.failures);
      if (failures.length > 0) process.exitCode = exitCodes.someFailed;
      for (const failure of failures) process.stderr.write(`${failure}\n`);
      const files = toldApart(read.flatMap(({ results }) => results));
      const [first, ...others] = files;
      if (first === undefined) throw new Error('none of the recordings has a result');
      if (options.audio !== undefined && others.length > 0)
        throw new Error('--audio works with exactly one result');
      const peaks = options.audio === undefined ? [] : await recordingPeaks(options.audio);
      if (options.out !== undefined) await writeEach(files, format, { out: options.out, peaks });
      else if (others.length > 0) process.stdout.write(exportTogether(files, format));
      else process.stdout.write(exportOne(first, format, peaks));
    });
}

/** @throws when two results would have the same name, before anything is written */
async function writeEach(
  files: readonly ResultFile[],
  format: ExportFormat,
  { out, peaks }: { readonly out: string; readonly peaks: readonly number[] },
): Promise<void> {
  const names = files.map((file) => documentName(file, format));
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new Error(`two results would be written to ${twice}`);
  for (const [i, file] of files.entries()) {
    const path = join(out, names[i]!);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, exportOne(file, format, peaks));
  }
}
