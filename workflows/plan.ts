// Decisions that depend on numbers alone: how chunks are grouped, and what the Temporal UI shows.
import type { Progress, Span, Stage } from './types.ts';

/** Long enough to amortise an activity, short enough to spread over workers. */
const spanSeconds = 150;

/**
 * Consecutive chunks grouped into spans of about `spanSeconds` of audio.
 * @param chunkSeconds duration of each chunk, in order
 */
export function planSpans(chunkSeconds: readonly number[]): readonly Span[] {
  const total = chunkSeconds.reduce((sum, seconds) => sum + seconds, 0);
  const count = Math.max(1, Math.round(total / spanSeconds));
  const spans: Span[] = [];
  let firstChunk = 0;
  let audioSeconds = 0;
  let before = 0;
  chunkSeconds.forEach((seconds, chunk) => {
    audioSeconds += seconds;
    const endsSpan = before + audioSeconds >= ((spans.length + 1) * total) / count - 1e-6;
    if (!endsSpan && chunk < chunkSeconds.length - 1) return;
    spans.push({ index: spans.length, firstChunk, endChunk: chunk + 1, audioSeconds });
    firstChunk = chunk + 1;
    before += audioSeconds;
    audioSeconds = 0;
  });
  return spans;
}

/**
 * Uploads up to this size decode within a second whatever their bit rate, so no heartbeat is
 * needed.
 */
const smallUploadBytes = 1_500_000;

/** True when the upload is opened inside the workflow task. */
export function isSmallUpload(bytes: number): boolean {
  return bytes <= smallUploadBytes;
}

const allStages: readonly { readonly stage: Stage; readonly label: string }[] = [
  { stage: 'fetching', label: 'Fetch: from its address' },
  { stage: 'opening', label: 'Open: decode, find speech, reserve minutes' },
  { stage: 'diarizing', label: 'Diarize: tell speakers apart' },
  { stage: 'analyzing', label: 'Analyse: words, scores' },
  { stage: 'finishing', label: 'Finish: assemble, store, debit' },
];

/** The live stage table of the Temporal UI, in Markdown. */
export function stageTable(progress: Progress): string {
  const isShown = { fetching: progress.fetch === true, diarizing: progress.diarize };
  const stages = allStages.filter(({ stage }) => isShown[stage as keyof typeof isShown] ?? true);
  const current = stages.findIndex(({ stage }) => stage === progress.stage);
  const rows = stages.map(({ label }, index) => {
    const done = progress.stage === 'completed' || index < current;
    const mark = done ? 'done' : index === current ? 'running' : '';
    return `| ${label} | ${mark} |`;
  });
  const audio = progress.audioSeconds === null ? '' : `${progress.audioSeconds.toFixed(1)} s audio`;
  const { chunksDone, chunksTotal } = progress;
  const percent = chunksTotal ? Math.round((100 * chunksDone) / chunksTotal) : 0;
  const chunks = chunksTotal === null ? '' : `, ${chunksDone}/${chunksTotal} chunks (${percent} %)`;
  return [
    `**${progress.stage}** ${audio}${chunks}`,
    '',
    '| stage | state |',
    '|---|---|',
    ...rows,
  ].join('\n');
}
