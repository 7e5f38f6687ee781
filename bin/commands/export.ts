// `svc export RESULT… --format srt`: results as other programs read them.
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { exportFormats, exportResult } from '../client/exports.ts';

const help = `
srt and vtt are subtitles with speakers, rttm is speaker turns, csv a row per segment, txt the
words, metrics who spoke how much, how fast and over whom (JSON).

  svc bulk calls --diarize --out results
  svc export results/call.mp3.json --format vtt > call.vtt`;

export function addExportCommand(program: Command): void {
  program
    .command('export <result...>')
    .description('write results of analyze --json or bulk in another format')
    .requiredOption('--format <format>', exportFormats.join(', '))
    .addHelpText('after', help)
    .action(async (paths: readonly string[], { format }: { format: string }) => {
      for (const path of paths) {
        const body = JSON.parse(await readFile(path, 'utf8')) as { readonly result?: unknown };
        process.stdout.write(exportResult(body.result ?? body, format, path));
      }
    });
}
