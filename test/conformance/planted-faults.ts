// Rules broken on purpose, one at a time: the suite must notice each of them.
import type { Patch } from '../support/patches.ts';

export interface PlantedFault extends Patch {
  readonly rule: string;
  /** The section of the suite that is run, because the whole suite takes a minute and a half. */
  readonly section: string;
}

/** Faults in one file, each with the section that should detect it. */
function within(
  file: string,
  section: string,
  faults: readonly (readonly [rule: string, from: string, to: string])[],
): readonly PlantedFault[] {
  return faults.map(([rule, from, to]) => ({ rule, section, file, from, to }));
}

export const plantedFaults: readonly PlantedFault[] = [
  ...within('api/http/middleware/authenticate.ts', 'Access control', [
    [
      'an unknown key is 401',
      "if (!admission) throw new ServiceError('invalid_api_key'",
      "if (!admission) throw new ServiceError('server_only'",
    ],
    ['a suspended account is 403', 'if (!rate) throw', 'if (false) throw'],
  ]),
  ...within('api/http/middleware/require-allowance.ts', 'Access control', [
    ['no allowance is 402 before the body', 'if (canPay) return;', 'return;'],
  ]),
  ...within('api/http/middleware/require-access.ts', 'Access control', [
    ['Resonance-2 needs approval', "if (state === 'approved') return;", 'return;'],
  ]),
  ...within('api/http/middleware/require-access.ts', 'Access control', [
    [
      'synthetic speech needs a paid plan',
      '!planRows[plan].includesPaidModels',
      "plan === 'credits'",
    ],
  ]),
  ...within('api/http/middleware/server-only.ts', 'Sessions', [
    ['browsers set up no sessions', "ctx.get('Origin') === ''", 'true'],
    ['`Sec-Fetch-Site: none` is no page', "(site === '' || site === 'none')", "site === ''"],
  ]),
  ...within('api/http/middleware/request-id.ts', 'Errors', [
    ['every answer has its request id', "ctx.set('X-Request-ID', ctx.state.requestId);", ''],
  ]),
  ...within('api/http/errors.ts', 'Errors', [
    [
      'a 429 says when to come back',
      "...(retryAfterSeconds !== null && { 'Retry-After': String(retryAfterSeconds) }),",
      '',
    ],
  ]),
  ...within('models/contract/request-id.ts', 'Limits', [
    ['an id has at most 128 characters', 'maxLength = 128', 'maxLength = 256'],
  ]),
  ...within('api/app.ts', 'Errors', [
    ['405 names the allowed methods', "ctx.set('Allow', [...new Set(allowed)].join(', '));", ''],
  ]),
  ...within('models/contract/served-models.ts', 'Requests', [
    [
      'retired models have a code of their own',
      '(retiredModelIds as readonly string[]).includes(id)',
      'false',
    ],
  ]),
  ...within('api/fields/speakers.ts', 'Requests', [
    ['only svc-resonance has speakers', 'if (diarizers.includes(model)) return;', 'return;'],
    ['at most 32 speakers', 'maxSpeakers = 32', 'maxSpeakers = 64'],
  ]),
  ...within('api/http/form-fields.ts', 'Requests', [
    ['1 is true', "lower === '1'", "lower === 'y'"],
  ]),
  ...within('api/http/form.ts', 'Requests', [
    ['ignored fields are named', "ctx.set('X-Svc-Ignored-Fields', fitting.join(', '));", ''],
    ['strict shapes reject unknown fields', 'unknown !== undefined && isStrict(schema)', 'false'],
  ]),
  ...within('api/http/multipart.ts', 'Requests', [
    ['a field comes once', 'else if (seen.has(name)) fail(duplicate(name));', ''],
  ]),
  ...within('api/http/multipart.ts', 'Limits', [
    ['the limit of a file is exact', 'fileSize: maxFileBytes,', 'fileSize: maxFileBytes + 1,'],
  ]),
  ...within('api/http/body.ts', 'Limits', [
    ['a declared body is rejected unread', 'if (declared > maxBytes)', 'if (declared < 0)'],
  ]),
  ...within('models/contract/catalog.ts', 'Limits', [
    [
      'a form of the lite model may have 4 MiB',
      'maxBodyBytes: 4 * mebibyte,',
      'maxBodyBytes: 4 * mebibyte - 1,',
    ],
    ['a form is 64 KiB larger', 'bytes + mebibyte / 16', 'bytes + mebibyte / 16 - 1'],
    ['Spectra-2 takes 45 ms', 'minSeconds: 0.045', 'minSeconds: 0.046'],
    [
      'the common shapes take 0.1 s',
      'minSeconds: 0.1, maxSeconds: 3600',
      'minSeconds: 0.099, maxSeconds: 3600',
    ],
  ]),
  ...within('db/claim-decision.ts', 'Request ids', [
    ['the fingerprint is compared', 'existing.fingerprint !== fingerprint', 'false'],
    ['a completed id is not run again', "repeats === 'run-again'", 'true'],
  ]),
  ...within('api/runs/fingerprint.ts', 'Request ids', [
    ['the options count', 'diarize, numSpeakers, includeLogits, keyId]', 'keyId]'],
  ]),
  ...within('models/contract/billing.ts', 'Results', [
    ['seconds are rounded up', 'Math.ceil(', 'Math.floor('],
  ]),
  ...within('models/analysis/result/result-of.ts', 'Minutes', [
    ['what is free is not debited', 'proficiency?.check.billable === false ? 0 : ', ''],
  ]),
  ...within('api/results/speech-result.ts', 'Results', [
    ['tagged text is for analysis', "task === 'analysis' ? taggedText(segment) : null", 'null'],
    ['scores are of the task', '(i < emotionLabels.length ? emotions : styles)', 'true'],
    [
      'times have three decimals',
      'const duration = durationOf(result);',
      'const duration = durationOf(result) + 1e-5;',
    ],
  ]),
  ...within('models/affect/select.ts', 'Results', [
    [
      'the best emotion is never left out',
      'clear.length > 0 ? withoutOpposites(clear) : emotions.slice(0, 1)',
      'withoutOpposites(clear).slice(1)',
    ],
  ]),
  ...within('api/results/usage.ts', 'Results', [
    [
      'costs have six decimals',
      'return decimals(amountOf(rate, billableSeconds).microUsd);',
      "return decimals(amountOf(rate, billableSeconds).microUsd) + '0';",
    ],
  ]),
  ...within('models/affect/resonance-2.ts', 'Classifiers', [
    [
      'an axis is positive less negative',
      'scores[positive]! - scores[negative]!',
      'scores[negative]! - scores[positive]!',
    ],
    [
      'digital silence has no scores',
      'if (windows.length === 0) return 0;',
      'if (windows.length === 0) return 0.5;',
    ],
  ]),
  ...within('api/synthetic-speech/response.ts', 'Classifiers', [
    [
      'the threshold decides',
      "score >= threshold ? 'synthetic' : 'human'",
      "score >= threshold ? 'human' : 'synthetic'",
    ],
  ]),
  ...within('db/sessions.ts', 'Sessions', [
    [
      'slots are sha256 of id and number',
      '`spectra2-slot\\0${sessionId}\\0${slot}`',
      '`spectra2-slot ${sessionId} ${slot}`',
    ],
  ]),
  ...within('api/sessions/prepared-sessions.ts', 'Sessions', [
    ['a session lives 30 s', 'lifetimeSeconds = 30;', 'lifetimeSeconds = 60;'],
    ['a token is of its key', 'session.keyId === keyId', 'true'],
  ]),
  ...within('api/streams/protocols/spectra-start.ts', 'Stream opening', [
    [
      'a ticket fixes the id',
      'if (known === null || given === known) return given;',
      'return given;',
    ],
    ['a ticket fixes the task', 'if (ticket && task !== ticket.task)', 'if (false)'],
  ]),
  ...within('api/streams/protocols/spectra.ts', 'Spectra-2 stream', [
    ['a second start is rejected', "if (state.phase !== 'opened') {", 'if (false) {'],
    [
      'cancel ends with 1000',
      "{ do: 'abandon', fault: 'client' },\n    { do: 'close', code: closeCodes.done }",
      "{ do: 'abandon', fault: 'client' },\n    { do: 'close', code: closeCodes.policy }",
    ],
  ]),
  ...within('api/streams/protocols/protocol.ts', 'Spectra-2 stream', [
    ['a frame has at most 32,768 bytes', 'maxFrameBytes = 32_768', 'maxFrameBytes = 65_536'],
  ]),
  ...within('api/streams/protocols/lite.ts', 'Lite stream', [
    ['a ping is answered', "message: { type: 'pong' }", "message: { type: 'ping' }"],
  ]),
  ...within('api/streams/protocols/message-quota.ts', 'Lite stream', [
    ['a flood of empty frames ends', 'if (tokens < cost) return false;', ''],
  ]),
  ...within('api/streams/socket.ts', 'Lite stream', [
    ['an error goes ahead of 1009', "this.emit('violation', code);", 'void 0;'],
  ]),
  ...within('api/streams/upgrade-sockets.ts', 'Stream opening', [
    ['101 has X-Request-ID', 'headers.push(`X-Request-ID: ${answerIds.get(request)!}`);', ''],
  ]),
  ...within('db/stream-credentials.ts', 'Lite stream', [
    ['a token opens one stream', '.set({ usedAt: sql<Date>`now()` })', '.set({ usedAt: null })'],
  ]),
];
