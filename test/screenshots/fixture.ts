// A call, its batch and an organization's last days, as the console's pages read them.
import { toRecordingView } from '../../api/results/recording-view.ts';
import { emotionLabels, styleLabels } from '../../models/contract/labels.ts';
import type { ExportedResult } from '../../models/exports/exported-result.ts';

export const batchId = `batch_${'a1b2c3d4'.repeat(3)}`;
const created = Date.UTC(2026, 10, 22, 9, 30) / 1_000;

const turns = [
  ['speaker_0', 'Thank you for calling, this is Ann. How can I help you today?', 'neutral', 'warm'],
  ['speaker_1', 'My card was charged twice and nobody calls me back.', 'frustrated', 'impatient'],
  ['speaker_0', 'I am sorry about that. May I have the number of the order?', 'worried', 'sincere'],
  ['speaker_1', 'It is four four seven one nine. I want a refund.', 'angry', 'irritated'],
  ['speaker_0', 'I see both charges, and the refund is on its way.', 'relieved', 'confident'],
  ['speaker_1', 'Oh, that was quick. Thank you very much.', 'happy', 'energetic'],
] as const;

const turnSeconds = 4.4;

/** Talk by turns, words with falling confidence; 42 turns are three minutes. */
function aCall(turnCount = 42): ExportedResult {
  const segments = Array.from({ length: turnCount }, (_, i) => {
    const [speaker, text, emotion, style] = turns[i % turns.length]!;
    const start = i * turnSeconds;
    const spoken = text.split(' ').map((part) => part.replaceAll(/[.,?]/g, ''));
    const step = (turnSeconds - 0.6) / spoken.length;
    return {
      ...{ start, end: start + turnSeconds - 0.3, speaker, text },
      words: spoken.map((word, n) => ({
        ...{ word, start: start + n * step, end: start + (n + 0.9) * step },
        confidence: (i * 7 + n * 3) % 23 === 0 ? 0.31 : 0.93,
      })),
      emotions: [{ label: emotion, score: 0.84 - (i % 5) * 0.06 }],
      styles: [
        { label: style, score: 0.71 },
        { label: 'casual', score: 0.44 },
      ],
    };
  });
  const duration = turnCount * turnSeconds;
  const loudness = Array.from({ length: Math.ceil(duration) }, (_, i) => -24 + (i % 7));
  return { duration, segments, loudnessDb: [loudness] };
}

function outline(): readonly number[] {
  return Array.from({ length: 1_000 }, (_, i) =>
    Math.abs(Math.sin(i / 9) * Math.sin(i / 31) * 0.8 + 0.1 * Math.sin(i * 1.7)),
  );
}

const counts = (total: number, completed: number, failed: number) => {
  return { total, completed, failed, cancelled: 0 };
};

const batch = {
  ...{ id: batchId, object: 'batch', task: 'analysis', model: 'svc-resonance' },
  options: { diarize: true, language: 'auto', channels: 'mix', channel_roles: [] },
  ...{ status: 'in_progress', request_counts: counts(200, 132, 3), progress: 0.68 },
  ...{ audio_seconds: { done: 41_200, left: 20_400 }, estimated_completion_at: null },
  ...{ created_at: created, expires_at: null, metadata: { name: 'Monday calls' } },
};
const ended = {
  ...{ status: 'completed', request_counts: counts(12, 12, 0), expires_at: created + 2_592_000 },
  ...{ progress: 1, audio_seconds: { done: 2_214, left: 0 } },
  metadata: { name: 'call-0471.wav and 11 more' },
};

const items = ['completed', 'completed', 'failed', 'running', 'queued'].map((status, index) => ({
  ...{ id: `call-047${index}.wav`, custom_id: `call-047${index}.wav`, index, status, metadata: {} },
  ...{ audio_seconds: status === 'completed' ? 184 + index : null, object: 'batch.item' },
  progress: status === 'running' ? { stage: 'analyzing', share: 0.61 } : null,
  error:
    status === 'failed'
      ? { code: 'audio_undecodable', message: 'The audio stops after its header.', param: 'file' }
      : null,
}));

const found = turns.map(([, text, emotion, style], index) => ({
  ...{ id: `${batchId}.${index}`, batch_id: batchId, index, title: `call-047${index}.wav` },
  ...{ language: index === 4 ? 'de' : 'en', labels: [emotion, style] },
  ...{ speakers: ['agent', 'customer'], duration: 184, words: 410, unsure_words: 12 + index },
  ...{ created_at: created - index * 4_000 },
  excerpt: text.split(/(refund|charge\w*)/).map((part, i) => ({ text: part, isHit: i % 2 === 1 })),
}));

const days = Array.from({ length: 14 }, (_, i) => {
  const day = new Date(Date.UTC(2026, 10, 9 + i)).toISOString().slice(0, 10);
  const calls = i % 7 > 4 ? 3 : 40 + ((i * 37) % 50);
  return { day, calls, minutes: calls * 3.1 };
});

const noOverage = { used_minutes: 0, allowed_minutes: 0 };

const overview = {
  ...{ days, calls: 712, minutes: 2_207, words: 311_204, unsure_words: 9_812 },
  languages: [
    { language: 'en', recordings: 590, minutes: 1_830 },
    { language: 'de', recordings: 84, minutes: 260 },
    { language: 'es', recordings: 38, minutes: 117 },
  ],
  emotions: Object.entries({ neutral: 702, frustrated: 48, relieved: 31, angry: 12, happy: 9 }).map(
    ([label, recordings]) => ({ label, recordings }),
  ),
  plan: {
    ...{ name: 'subscription', used_minutes: 2_207, allowed_minutes: 10_000 },
    ...{ left_minutes: 7_793, overage: noOverage },
  },
};

const list = (data: readonly object[]) => {
  return { object: 'list', data, first_id: null, last_id: null, has_more: data.length > 4 };
};

/** Answers to requests whose address has the pattern; the first that fits. */
export interface Answer {
  readonly path: RegExp;
  readonly body: object;
}

const about = {
  ...{ batch: { ...batch, ...ended }, item: items[1], speakers: ['agent', 'customer'] },
  ...{ audio: { expires_at: created + 2_592_000 }, redacted: false },
  labels: { emotions: emotionLabels, styles: styleLabels },
};

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** @param names of its two speakers */
export function callView(names: readonly string[], turnCount?: number) {
  const rest = { language: 'en', outline: { peaks: outline(), loudnessDb: [] } };
  return toRecordingView(aCall(turnCount), rest, names);
}

function view(removed: readonly Stretch[], turnCount?: number) {
  return { ...callView(about.speakers, turnCount), removed };
}

/** The item that is an hour long, and the batch whose first page is full. */
export const hourItem = 3;
export const largeBatchId = `batch_${'d4c3b2a1'.repeat(3)}`;
const hourTurns = Math.floor(3_600 / turnSeconds);
const manyItems = Array.from({ length: 100 }, (_, i) => {
  const name = `call-${String(i).padStart(3, '0')}.wav`;
  return { ...items[i % items.length]!, id: name, custom_id: name, index: i };
});

export const fullFixture: readonly Answer[] = [
  { path: /data\/overview/, body: overview },
  { path: /data\/recordings/, body: { data: found, has_more: true } },
  { path: /data\/recording\?.*item=(1|2|3)$/, body: about },
  { path: /data\/result.*view=redacted/, body: view([{ start: 13.6, end: 15.1 }]) },
  { path: new RegExp(`data/result.*item=${hourItem}`), body: view([], hourTurns) },
  { path: /data\/result/, body: view([]) },
  { path: new RegExp(`${largeBatchId}/items`), body: list(manyItems) },
  { path: /batches\/batch_\w+\/items/, body: list(items) },
  { path: /batches\/batch_\w+/, body: batch },
  { path: /v1\/batches\?/, body: list([batch, { ...batch, ...ended }]) },
  // What was just sent.
  { path: /v1\/batches$/, body: batch },
];

/** An organization that has not begun. */
export const emptyFixture: readonly Answer[] = [
  {
    path: /data\/overview/,
    body: {
      ...{ calls: 0, minutes: 0, words: 0, unsure_words: 0, languages: [], emotions: [] },
      days: days.map(({ day }) => ({ day, calls: 0, minutes: 0 })),
      plan: {
        ...{ name: 'trial', used_minutes: 0, allowed_minutes: 60, left_minutes: 60 },
        overage: noOverage,
      },
    },
  },
  { path: /data\/recordings/, body: { data: [], has_more: false } },
  { path: /v1\/batches/, body: list([]) },
];

/** As long as the call, and silent: 8-bit samples in the middle of their range. */
export const quietWav = ((): Buffer => {
  const [rate, bytes] = [8_000, 8_000 * 185];
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return Buffer.concat([head, Buffer.alloc(bytes, 128)]);
})();
