// Diarization: meeting clips, and dialogues joined from held-out readers.
import { findTurns } from '../../models/analysis/speakers/find-turns.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { samplesInMemory } from '../../models/audio/samples.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import {
  diarizationErrorRate,
  diarizationErrors,
  type DiarizationErrors,
  type Turn,
} from '../metrics/der.ts';
import { startSherpa } from '../sherpa/sherpa.ts';
import { job, percent } from './chunked-recognition.ts';
import { joinDialogue, meetingClips, type Dialogue } from './dialogues.ts';

const dialoguesPerCondition = 8;
/** Turns of a dialogue of some seven minutes: calls are long. */
const turnsOfLong = 100;
const longPerCount = 4;
const collarSeconds = 0.25;
/** A message, and an exchange. */
const shortRecordings = [
  { speakers: 1, turns: 3, seconds: 10 },
  { speakers: 2, turns: 4, seconds: 15 },
] as const;
const shortPerKind = 16;

/** @param speakers their number, or null to estimate it */
type Diarizer = (pcm: Int16Array, speakers: number | null) => Promise<readonly Turn[]>;

interface Outcome {
  readonly withCollar: DiarizationErrors;
  readonly without: DiarizationErrors;
  readonly countError: number;
}

/** @param known gives the diarizer the right number of speakers */
async function diarizeOne(
  diarizer: Diarizer,
  { pcm, turns, speakers }: Dialogue,
  known: boolean,
): Promise<Outcome> {
  const found = await diarizer(pcm, known ? speakers : null);
  const durationSeconds = pcm.length / sampleRate;
  return {
    withCollar: diarizationErrors(turns, found, { durationSeconds, collarSeconds }),
    without: diarizationErrors(turns, found, { durationSeconds, collarSeconds: 0 }),
    countError: Math.abs(new Set(found.map((turn) => turn.speaker)).size - speakers),
  };
}

async function row(
  diarizer: Diarizer,
  name: string,
  dialogues: readonly Dialogue[],
): Promise<string> {
  if (dialogues.length === 0) {
    return `| ${name} | skipped: its recordings are not on this machine | | | | | |`;
  }
  const outcomes: Outcome[] = [];
  const known: Outcome[] = [];
  for (const dialogue of dialogues) {
    outcomes.push(await diarizeOne(diarizer, dialogue, false));
    known.push(await diarizeOne(diarizer, dialogue, true));
  }
  const rate = (all: readonly DiarizationErrors[]): string => percent(diarizationErrorRate(all));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  return [
    `| ${name}`,
    dialogues.length,
    rate(outcomes.map((outcome) => outcome.withCollar)),
    rate(outcomes.map((outcome) => outcome.without)),
    percent(mean(outcomes.map(({ without }) => without.jaccard))),
    mean(outcomes.map((outcome) => outcome.countError)).toFixed(2),
    `${rate(known.map((outcome) => outcome.withCollar))} |`,
  ].join(' | ');
}

/** Lines of a table of this project's diarization errors. */
export function evaluateDiarization(pool: InferencePool): Promise<readonly string[]> {
  return evaluate(async (pcm, numSpeakers) => {
    const found = await findTurns(pool, {
      samples: pcm.length,
      numSpeakers,
      read: samplesInMemory(pcm),
      job,
    });
    return found.map((turn) => ({ ...turn, speaker: String(turn.speaker) }));
  });
}

/** The same table for sherpa-onnx with the same embedding model. */
export async function evaluateSherpa(): Promise<readonly string[]> {
  const sherpa = await startSherpa();
  try {
    return await evaluate(async (pcm, speakers) => (await sherpa.diarize(pcm, speakers)).turns);
  } finally {
    await sherpa.close();
  }
}

async function evaluate(diarizer: Diarizer): Promise<readonly string[]> {
  const lines = [
    '| recordings | n | DER, collar 0.25 s | DER | JER | count error | DER, count given |',
    '|---|---|---|---|---|---|---|',
  ];
  const splits = ['train', 'development', 'test'] as const;
  for (const split of splits) {
    lines.push(await row(diarizer, `meeting clips, ${split}`, await meetingClips(split)));
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
            diarizer,
            name,
            made.filter((dialogue) => dialogue !== null),
          ),
        );
      }
    }
  }
  for (const { speakers, turns, seconds } of shortRecordings) {
    const made = await Promise.all(
      Array.from({ length: shortPerKind }, (_, i) => {
        const kind = { telephone: i % 2 === 1, overlap: false };
        return joinDialogue({ speakers, turns, seed: 2_000 + 100 * speakers + i, ...kind });
      }),
    );
    const present = made.filter((dialogue) => dialogue !== null);
    lines.push(await row(diarizer, `${speakers} readers, ${seconds} seconds`, present));
  }
  for (const speakers of [1, 2, 3, 4, 5]) {
    const made = await Promise.all(
      Array.from({ length: longPerCount }, (_, i) => {
        const kind = { telephone: i % 2 === 1, overlap: i >= 2 };
        return joinDialogue({
          speakers,
          seed: 1_000 + 10 * speakers + i,
          turns: turnsOfLong,
          ...kind,
        });
      }),
    );
    const present = made.filter((dialogue) => dialogue !== null);
    lines.push(await row(diarizer, `${speakers} readers, seven minutes`, present));
  }
  return lines;
}
