// `svc export RESULT… --format srt`: converts results to the formats of other programs.
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { recordingPeaks } from '../client/recording-peaks.ts';
import { exportFormats } from '../../models/exports/formats.ts';
import { exportResult, formatNames } from '../client/exports.ts';

const formats = Object.entries(exportFormats)
  .map(([name, { purpose }]) => `  ${name.padEnd(8)} ${purpose}`)
  .join('\n');

const help = `
${formats}

  svc bulk calls --diarize --out results
  svc export results/call.mp3.json --format vtt > call.vtt
  svc export results/call.mp3.json --format html --audio calls/call.mp3 > call.html`;

interface Options {
  readonly format: string;
  readonly audio?: string;
}

export function addExportCommand(program: Command): void {
  program
    .command('export <result...>')
    .description('convert results of analyze --json or bulk to another format')
    .requiredOption('--format <format>', formatNames.join(', '))
    .option('--audio <file>', 'recording of the result, for the waveform of html')
    .addHelpText('after', help)
    .action(async (paths: readonly string[], { format, audio }: Options) => {
      if (audio !== undefined && paths.length > 1)
        throw new Error('--audio works with exactly one result');
      const peaks = audio === undefined ? [] : await recordingPeaks(audio);
      for (const path of paths) {
        const body = JSON.parse(await readFile(path, 'utf8')) as { readonly result?: unknown };
        process.stdout.write(exportResult(body.result ?? body, format, { path, peaks }));
      }
    });
}
