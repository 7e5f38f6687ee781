// What the documents mention in passing: purposes, states, messages; each is shown by one request.
import assert from 'node:assert/strict';
import { section, type Entry } from '../case.ts';
import { answer, bodies, body, streamSession, type AnswerName } from '../corpus.ts';
import { wavOf } from '../recordings.ts';
import { ok, rejected, type Service } from '../service.ts';

const iface = section('Overview', 'interface.md');
const contract = section('Overview', 'contract.md');

/** The sentence holds when these are answered. */
const shown = (sentence: string, ...names: readonly AnswerName[]): Entry =>
  iface.rule(sentence, async (service) => {
    await bodies(service, ...names);
  });

const oneOf = async (value: Promise<any>, allowed: string): Promise<void> =>
  assert.ok(allowed.split(' ').includes(await value), `${await value}`);
const proficiencyOf = (service: Service) => body(service, 'proficiencySilence');

export const overview: readonly Entry[] = [
  shown(
    '- Transcription of English audio (and 25 languages for one model).',
    'transcription',
    'spectra',
  ),
  shown(
    '- Multilabel emotion scores (15 labels) and multilabel speaking-style scores (16 labels).',
    'emotion',
    'style',
  ),
  shown(
    '- Combined affect (emotion + style) and full analysis (transcript, emotion, style, segments, tagged text).',
    'affect',
    'analysis',
  ),
  shown('- Optional speaker diarization.', 'transcriptionDiarized'),
  shown(
    '- Speaking proficiency: legacy CEFR band and fluency plus 0-1 pronunciation scores for the recording and for each word.',
    'proficiency',
  ),
  iface.rule(
    '- Human versus synthetic speech detection.',
    async (service) => {
      ok(await answer(service, 'synthetic'));
    },
    'paid',
  ),
  iface.rule(
    '- `usage` rate and cost fields are reference metadata and are not the subscription invoice.',
    async (service) => {
      assert.ok(Number((await body(service, 'transcription')).usage.estimated_cost_usd) > 0);
    },
  ),
  iface.rule('| error | object | required |', async (service) => {
    assert.equal(typeof (await answer(service, 'missingFile')).body.error, 'object');
  }),
  iface.rule(
    '- Resonance-2 organization access status: `not_requested`, `pending`, `approved`, `denied`, `revoked`.',
    async (service) => {
      const { status, approved } = await body(service, 'access');
      assert.equal(approved, status === 'approved');
    },
  ),
  iface.rule(
    '- Proficiency check status: `scored`, `low_confidence`, `insufficient_audio` (see Resources);',
    async (service) => {
      const result = await proficiencyOf(service);
      await oneOf(Promise.resolve(result.check.status), 'scored low_confidence insufficient_audio');
      await oneOf(
        Promise.resolve(result.proficiency.continuous_check.status),
        'scored insufficient_audio unavailable',
      );
    },
  ),
  iface.rule(
    '| diarize | boolean | false | `svc-resonance` only; labels speakers, then scores each speaker turn;',
    async (service) => {
      const { diarized, segments } = await body(service, 'affectDiarized');
      assert.ok(diarized && segments.length > 1);
      assert.ok(segments.every((segment: any) => segment.speaker && segment.emotions.length > 0));
    },
  ),
  shown(
    '- Request: common fields without include_logits (model may alternatively be one of the other two request shapes below).',
    'transcription',
    'lite',
    'spectra',
  ),
  iface.rule(
    '- Errors: 409 and 429 as under Errors; any other error returns the error envelope.',
    async (service) => {
      rejected(await answer(service, 'missingFile'), 400, 'missing_file');
    },
  ),
  shown('- Response 200: ProficiencyResult.', 'proficiency'),
  iface.rule(
    '- Bearer key; organization must have approved access.',
    async (service) => {
      ok(await answer(service, 'resonance2'));
    },
    'resonance-2',
  ),
  iface.rule(
    '- Response 200: Resonance-2 result. 403 `model_access_required` (no inference, no billing); 422 validation error body.',
    async (service) => {
      const wrong = await service.post('/v1/audio/resonance-2', { file: wavOf(100) });
      assert.deepEqual([wrong.status, Array.isArray(wrong.body.detail)], [422, true]);
    },
    'resonance-2',
  ),
  iface.rule(
    '4. Prepared sessions: the session token is sent as header `X-Svc-Session` together with the same API key; it is private.',
    async (service) => {
      const session = await body(service, 'session');
      const created = await streamSession(service, session, 30);
      ok(created);
      assert.ok(!JSON.stringify(created.body).includes(session.token));
    },
  ),
  iface.rule(
    'the legacy CEFR fields keep their scales (cefr_score 0-5, fluency_score 0-10).',
    async (service) => {
      const { cefr_score: cefr, fluency_score: fluency } = (await body(service, 'proficiency'))
        .proficiency;
      assert.ok(cefr >= 0 && cefr <= 5 && fluency >= 0 && fluency <= 10);
    },
  ),
  iface.untestable(
    'a separate multilingual realtime preview exists as a distinct WebSocket service.',
    'contract.md leaves it out',
  ),
  iface.untestable(
    '- Values of error.type, and codes attached to statuses not listed in this table: not shown.',
    'contract.md decides them, and its rows are tested',
  ),
  iface.untestable(
    '- Deprecation policy and any version-selection header: not shown.',
    'there is nothing to test',
  ),
  contract.untestable(
    '| 428 | conflict_error | session_capacity_unavailable (below) |',
    'the sentence on the capacity of a session tests it',
  ),
  contract.untestable(
    '- model_busy and upload_busy exist on Spectra-2 only;',
    'the capacity of a deployment is not known outside',
  ),
  contract.rule(
    '| 422 | Resonance-2: `detail[]` body; synthetic speech: envelope, invalid_request_error | the codes of the 400 row |',
    async (service) => {
      const got = await service.post('/v1/audio/synthetic-speech', { file: wavOf(100) });
      rejected(got, 422, 'audio_too_short');
      assert.equal(got.body.error.type, 'invalid_request_error');
    },
    'paid',
  ),
  contract.rule(
    "- Spectra-2's 31 scores come from the same encoder and head as Resonance (one extra encoder pass), whatever family recognises the text.",
    async (service) => {
      const [spectra, affect] = [
        await body(service, 'spectra'),
        await body(service, 'affectLogits'),
      ];
      if (affect.segments.length !== 1) return;
      for (const { label, score } of spectra.emotions) {
        assert.ok(Math.abs(score - affect.segments[0].scores[label]) < 0.25, label);
      }
    },
  ),
  contract.untestable(
    '- Everything under `/v1/audio` keeps no result or audio for replay and sends no webhook;',
    'storage is not seen outside',
  ),
  shown(
    '- Lite model: `{lite_stream_url}` with the client-token subprotocols above.',
    'clientToken',
  ),
  iface.rule('- Reuse of `X-Request-ID` on the file endpoints returns 409', async (service) => {
    const request = { file: wavOf(16_000), id: `conformance-${crypto.randomUUID()}` };
    ok(await service.post('/v1/audio/affect', request));
    rejected(await service.post('/v1/audio/affect', request), 409, 'request_already_completed');
  }),
  iface.untestable(
    '- Message formats are listed under Events.',
    'contract.md decides them, and they are tested',
  ),
  contract.untestable(
    '| 408 | invalid_request_error | upload_timeout |',
    'the sentence on slow uploads is tested in its place',
  ),
];
