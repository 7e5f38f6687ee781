// `svc export RESULT… --format srt`: results as other programs read them.
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { recordingPeaks } from '../client/recording-peaks.ts';
import { exportResult, formatNames } from '../client/exports.ts';

const help = `
srt and vtt are subtitles with speakers, rttm is speaker turns, csv a row per segment, txt the
words, metrics who spoke how much, how fast and over whom (JSON). html is a page with speaker lanes,
emotions, numbers and the transcript, and with --audio the waveform.

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
    .description('write results of analyze --json or bulk in another format')
    .requiredOption('--format <format>', formatNames.join(', '))
    .option('--audio <file>', 'the recording of the one result, for the waveform of html')
    .addHelpText('after', help)
    .action(async (paths: readonly string[], { format, audio }: Options) => {
      if (audio !== undefined && paths.length > 1) throw new Error('--audio is of one result');
      const peaks = audio === undefined ? [] : await recordingPeaks(audio);
      for (const path of paths) {
        const body = JSON.parse(await readFile(path, 'utf8')) as { readonly result?: unknown };
        process.stdout.write(exportResult(body.result ?? body, format, { path, peaks }));
      }
    });
}
