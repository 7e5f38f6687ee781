// One result in every format of OpenAI's transcription API.
import test, { type ExecutionContext } from 'ava';
import {
  openAiFormats,
  openAiMediaType,
  writeOpenAiAnswer,
  type OpenAiAnswer,
} from '../../../api/results/openai-answer.ts';
import {
  openAiDiarizedSchema,
  openAiEventSchema,
  openAiTranscriptionSchema,
  openAiVerboseSchema,
  type OpenAiEvent,
} from '../../../api/results/openai-schemas.ts';
import type { SpeechResult } from '../../../api/results/schemas.ts';

const segment = (id: number, text: string, speaker: string | null) => ({
  id,
  start: id,
  end: id + 0.9,
  text,
  tagged_text: null,
  words: text.split(' ').map((word, i) => ({
    word,
    start: id + i / 10,
    end: id + (i + 1) / 10,
    confidence: 0.5,
  })),
  emotions: [],
  styles: [],
  speaker,
});

const result: SpeechResult = {
  id: 'res_0',
  object: 'speech.result',
  task: 'transcription',
  model: 'svc-resonance',
  text: 'Guten Tag. Auf Wiederhören.',
  tagged_text: null,
  language: 'de',
  duration: 2,
  emotions: [],
  styles: [],
  segments: [segment(0, 'Guten Tag.', 'speaker_0'), segment(1, 'Auf Wiederhören.', 'speaker_1')],
  diarized: true,
  speakers: ['speaker_0', 'speaker_1'],
  usage: {
    audio_seconds: 2,
    billable_seconds: 2,
    rate_per_minute_usd: '0.0080',
    estimated_cost_usd: '0.000267',
    pricing_version: '2026-01-01',
    billing_unit: 'audio_second',
    rate_per_request_usd: null,
  },
};

function written(answer: Partial<OpenAiAnswer>, of = result): string {
  const defaults = { format: 'json', stream: false, granularities: ['segment'] } as const;
  return writeOpenAiAnswer(of, { ...defaults, ...answer });
}

const parsed = (answer: Partial<OpenAiAnswer>): unknown => JSON.parse(written(answer));

test('the formats of JSON have the members that OpenAI documents', (t) => {
  const usage = { type: 'duration', seconds: 2 };
  t.deepEqual(openAiTranscriptionSchema.parse(parsed({})), { text: result.text, usage });

  const verbose = openAiVerboseSchema.parse(parsed({ format: 'verbose_json' }));
  t.is(verbose.language, 'german');
  t.is(verbose.words, undefined);
  t.is(verbose.segments?.length, 2);
  t.is(verbose.segments?.[1]?.seek, 100);
  t.is(verbose.segments?.[0]?.avg_logprob, Math.round(Math.log(0.5) * 1e6) / 1e6);

  const words = parsed({ format: 'verbose_json', granularities: ['word'] });
  t.is(openAiVerboseSchema.parse(words).segments, undefined);
  t.deepEqual(openAiVerboseSchema.parse(words).words?.[3], {
    word: 'Wiederhören.',
    start: 1.1,
    end: 1.2,
  });

  const diarized = openAiDiarizedSchema.parse(parsed({ format: 'diarized_json' }));
  t.deepEqual(
    diarized.segments.map(({ id, speaker }) => [id, speaker]),
    [
      ['seg_001', 'speaker_0'],
      ['seg_002', 'speaker_1'],
    ],
  );
});

test('text and captions are plain text', (t) => {
  t.is(written({ format: 'text' }), 'Guten Tag. Auf Wiederhören.\n');
  t.regex(written({ format: 'srt' }), /^1\n00:00:00,000 --> 00:00:01,000\n/);
  t.regex(written({ format: 'vtt' }), /^WEBVTT\n\n00:00:00\.000 --> /);
  for (const format of openAiFormats) {
    const type = openAiMediaType({ format, stream: false, granularities: [] });
    t.is(type.startsWith('application/json'), format.includes('json'));
  }
});

function streamed(
  t: ExecutionContext,
  format: OpenAiAnswer['format'],
  of = result,
): readonly OpenAiEvent[] {
  const blocks = written({ format, stream: true }, of).trimEnd().split('\n\n');
  return blocks.map((block) => {
    const [name, data] = block.split('\n');
    const event = openAiEventSchema.parse(JSON.parse(data!.slice('data: '.length)));
    t.is(name, `event: ${event.type}`);
    return event;
  });
}

const deltasOf = (events: readonly OpenAiEvent[]): string =>
  events.flatMap((event) => ('delta' in event ? [event.delta] : [])).join('');

test('deltas add up to the text of the last event; turns follow their delta', (t) => {
  for (const format of ['json', 'diarized_json'] as const) {
    const events = streamed(t, format);
    const last = events.at(-1)!;
    t.is('text' in last && last.text, deltasOf(events));
    t.is(deltasOf(events), result.text!);
    const turns = events.filter(({ type }) => type === 'transcript.text.segment');
    t.is(turns.length, format === 'json' ? 0 : 2);
  }
});

test('turns without a word have no delta', (t) => {
  const texts = ['', 'Yes.', '', 'No.'];
  const segments = texts.map((text, id) => segment(id, text, 'speaker_0'));
  const events = streamed(t, 'json', { ...result, text: 'Yes. No.', segments });
  t.is(deltasOf(events), 'Yes. No.');
  t.like(events.at(-1), { type: 'transcript.text.done', text: 'Yes. No.' });
});
