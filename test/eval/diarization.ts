// Who speaks when: meeting clips, and dialogues joined from readers that no training saw.
import { findTurns } from '../../activities/diarize.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { diarizationErrorRate, diarizationErrors, type DiarizationErrors } from '../metrics/der.ts';
import { joinDialogue, meetingClips, type Dialogue } from './dialogues.ts';

const sampleRate = 16_000;
const dialoguesPerCondition = 4;
const collarSeconds = 0.25;

interface Outcome {
  readonly withCollar: DiarizationErrors;
  readonly without: DiarizationErrors;
  readonly countError: number;
}

/** @param known gives the diarizer the right number of speakers */
async function diarizeOne(
  pool: InferencePool,
  { pcm, turns, speakers }: Dialogue,
  known: boolean,
): Promise<Outcome> {
  const found = await findTurns(pool, {
    samples: pcm.length,
    numSpeakers: known ? speakers : null,
    read: async ({ startSample, endSample }) => pcm.slice(startSample, endSample),
    job: { priority: 1 },
  });
  const heard = found.map((turn) => ({ ...turn, speaker: String(turn.speaker) }));
  const durationSeconds = pcm.length / sampleRate;
  return {
    withCollar: diarizationErrors(turns, heard, { durationSeconds, collarSeconds }),
    without: diarizationErrors(turns, heard, { durationSeconds, collarSeconds: 0 }),
    countError: Math.abs(new Set(heard.map((turn) => turn.speaker)).size - speakers),
  };
}

async function row(
  pool: InferencePool,
  name: string,
  dialogues: readonly Dialogue[],
): Promise<string> {
  if (dialogues.length === 0) {
    return `| ${name} | skipped: its recordings are not on this machine | | | | | |`;
  }
  const outcomes: Outcome[] = [];
  const known: Outcome[] = [];
  for (const dialogue of dialogues) {
    outcomes.push(await diarizeOne(pool, dialogue, false));
    known.push(await diarizeOne(pool, dialogue, true));
  }
  const rate = (all: readonly DiarizationErrors[]): string =>
    `${(100 * diarizationErrorRate(all)).toFixed(1)} %`;
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  return [
    `| ${name}`,
    dialogues.length,
    rate(outcomes.map((outcome) => outcome.withCollar)),
    rate(outcomes.map((outcome) => outcome.without)),
    `${(100 * mean(outcomes.map(({ without }) => without.jaccard))).toFixed(1)} %`,
    mean(outcomes.map((outcome) => outcome.countError)).toFixed(2),
    `${rate(known.map((outcome) => outcome.withCollar))} |`,
  ].join(' | ');
}

/** Lines of a table of diarization errors. */
export async function evaluateDiarization(pool: InferencePool): Promise<readonly string[]> {
  const lines = [
    '| recordings | n | DER, collar 0.25 s | DER | JER | count error | DER, count given |',
    '|---|---|---|---|---|---|---|',
  ];
  const splits = ['train', 'development', 'test'] as const;
  for (const split of splits) {
    lines.push(await row(pool, `meeting clips, ${split}`, await meetingClips(split)));
  }
  for (const speakers of [1, 2, 3, 4]) {
    for (const telephone of [false, true]) {
      for (const overlap of [false, true]) {
        const seeds = Array.from({ length: dialoguesPerCondition }, (_, i) => 100 * speakers + i);
        const made = await Promise.all(
          seeds.map((seed) => joinDialogue({ speakers, overlap, telephone, seed })),
        );
        const band = telephone ? 'telephone' : 'wide band';
        const name = `${speakers} readers, ${band}${overlap ? ', overlap' : ''}`;
        lines.push(
          await row(
            pool,
            name,
            made.filter((dialogue) => dialogue !== null),
          ),
        );
      }
    }
  }
  return lines;
}
