// Who may name terms on a stream, when, and what is said to the others.
import test from 'ava';
import { openLite, stepLite } from '../../../api/streams/protocols/lite.ts';
import { replay } from '../../../api/streams/protocols/protocol.ts';
import { openSpectra, stepSpectra } from '../../../api/streams/protocols/spectra.ts';
import type { VocabularyRule } from '../../../api/streams/protocols/vocabulary.ts';

const server = { ticket: null, headerRequestId: null, answerId: 'answer' };

test('only the subprotocols with interim text take a vocabulary, before the audio', (t) => {
  const admitted = { kind: 'admitted', admitted: { coveredSeconds: 3 } } as const;
  const text = (value: object) => ({ kind: 'text', text: JSON.stringify(value) }) as const;
  const lite = (rule: VocabularyRule, ...messages: readonly object[]) =>
    replay(openLite(rule), stepLite, [admitted, ...messages.map(text)]).effects;
  const terms = ['Siobhan', ' Kelly  Green ', 'Siobhan'];
  const preferred = { do: 'prefer', terms: ['Siobhan', 'Kelly Green'] };
  const vocabulary = { type: 'vocabulary', terms };
  t.deepEqual(lite('taken', vocabulary).at(-1) as object, preferred);
  const refused = (rule: VocabularyRule, message: object): string =>
    lite(rule, message).flatMap((e) => (e.do === 'send' ? [(e.message as any).message] : []))[1];
  t.regex(refused('unknown', vocabulary), /must be \{"type":"ping"\} or/);
  t.regex(
    refused('taken', { type: 'stop' }),
    /must be \{"type":"vocabulary",.*\{"type":"ping"\} or/,
  );
  t.regex(refused('refused', vocabulary), /by a transducer/);
  t.regex(refused('taken', { ...vocabulary, more: 1 }), /not `more`/);
  t.regex(refused('taken', { type: 'vocabulary' }), /`terms` must be a list of strings/);
  t.regex(refused('taken', { type: 'vocabulary', terms: ['a'] }), /`terms` .*at least 2/);
  t.regex(refused('taken', { type: 'vocabulary', terms: ['A\0n'] }), /`terms` must not contain/);
  const late = replay(openLite('taken'), stepLite, [
    admitted,
    { kind: 'binary', data: new Uint8Array(320) },
    text(vocabulary),
  ]).effects;
  t.like(late.at(-2), { message: { code: 'invalid_message' } });

  const start = { type: 'start', model: 'svc-spectra-2', task: 'analysis', vocabulary: terms };
  const spectra = (rule: VocabularyRule, message: object) =>
    stepSpectra(openSpectra({ ...server, vocabulary: rule }), text(message)).effects as any[];
  t.deepEqual(spectra('taken', start)[0], preferred);
  t.is(spectra('taken', start)[1].do, 'admit');
  t.like(spectra('unknown', start)[1].message.error, { code: 'unknown_field' });
  t.like(spectra('refused', start)[1].message.error, {
    ...{ code: 'vocabulary_unsupported', param: 'vocabulary' },
  });
  t.like(spectra('taken', { ...start, vocabulary: [7] })[1].message.error, {
    ...{ code: 'invalid_field', param: 'vocabulary' },
  });
});
