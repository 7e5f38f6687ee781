// Words of channels with a speaker each: they stay on their channel, whoever else speaks.
import test from 'ava';
import type { AnalyzedChunk } from '../../../../models/analysis/analyzed-chunk.ts';
import type { RecordingPlan } from '../../../../models/analysis/plan/plan.ts';
import { draftSegments } from '../../../../models/analysis/result/segment-drafts.ts';
import { taskSteps } from '../../../../models/contract/tasks.ts';

const plan: RecordingPlan = {
  chunks: [],
  segments: [
    { start: 0, end: 1, speaker: 0 },
    { start: 1.2, end: 2.4, speaker: 1 },
    { start: 2.6, end: 3, speaker: 0 },
    { start: 2.8, end: 4, speaker: 1 },
  ],
  speakers: 2,
  channelSpeechSeconds: [1.4, 2.4],
  speechSeconds: 3.8,
};

/** @param spoken texts with their times */
function said(channel: number, spoken: Readonly<Record<string, readonly [number, number]>>) {
  const words = Object.entries(spoken).map(([word, [start, end]]) => {
    return { word, start, end, confidence: 1 };
  });
  const chunk = { index: channel, written: null, inferenceMs: 1, words, scored: [], channel };
  return chunk satisfies AnalyzedChunk;
}

function texts(chunks: readonly AnalyzedChunk[]): readonly string[] {
  const drafts = draftSegments(chunks, [], { steps: taskSteps.transcription, plan });
  return drafts.map(
    ({ speaker, words }) => `${speaker}: ${words.map(({ word }) => word).join(' ')}`,
  );
}

test('words in overlap stay, and those of a pause in which nobody speaks', (t) => {
  const first = said(0, { mhm: [0.9, 1.4], so: [2.45, 2.55], yes: [2.7, 3.2] });
  const second = said(1, { six: [1.25, 1.6], no: [2.82, 3.5], oh: [4.3, 4.5] });
  t.deepEqual(texts([first, second]), ['0: mhm', '1: six', '0: so yes', '1: no oh']);
});

test('quiet words that voice activity missed stay while another channel speaks', (t) => {
  const first = said(0, { mhm: [0.2, 0.8], yes: [1.4, 1.7], sure: [1.9, 2.1], no: [2.7, 3] });
  const second = said(1, { six: [1.25, 1.6], three: [1.7, 2.2], yes: [3.1, 3.9] });
  t.deepEqual(texts([first, second]), ['0: mhm yes', '1: six three', '0: sure no', '1: yes']);
});

test('without channels every word belongs to the nearest turn', (t) => {
  const { channel: _, ...mixed } = said(0, { mhm: [0.2, 0.8], six: [1.05, 1.15], yes: [2.6, 3] });
  t.deepEqual(texts([mixed]), ['0: mhm six', '1: ', '0: yes', '1: ']);
});
