// Which failures are the recording's, the account's, or those of everything that is sent.
import test from 'ava';
import {
  concernsAll,
  failureAt,
  isFaultOfAccount,
  isFaultOfRecording,
  isOfOption,
} from '../../../bin/client/blame.ts';
import { SpeechServiceError } from '../../../clients/typescript/src/service-error.ts';
import { errorRules } from '../../../models/contract/errors.ts';

const failed = (code: string, status: number) => new SpeechServiceError('why', { code, status });

test('nothing that another plan, key or moment would change is final', (t) => {
  for (const code of ['audio_too_long', 'unsupported_audio', 'file_too_large'])
    t.true(isFaultOfRecording(code), code);
  for (const [code, { status }] of Object.entries(errorRules))
    if ([401, 402, 403, 409, 429].includes(status) || status >= 500)
      t.false(isFaultOfRecording(code), code);
  t.false(isFaultOfRecording('cancelled'), 'a code of no rejection');
  for (const code of ['invalid_api_key', 'allowance_exhausted', 'account_suspended'])
    t.true(isFaultOfAccount(code), code);
});

test('a rejected option is the same for every recording', (t) => {
  const rejected = (code: string, param: string | null) =>
    new SpeechServiceError('why', { code, status: 400, param });
  t.true(isOfOption(rejected('invalid_field', 'language')));
  t.false(isOfOption(rejected('invalid_field', 'file')));
  t.false(isOfOption(rejected('invalid_field', null)));
  t.false(isOfOption(rejected('audio_too_long', 'file')));
  t.false(isOfOption(new Error('there is no such file')));
});

test('what ends a run is what every other recording would meet', (t) => {
  const all = [
    ['unreachable', 0],
    ['account_suspended', 403],
    ['not_found', 404],
    ['unknown', 405],
    ['unknown', 502],
  ] as const;
  for (const [code, status] of all) t.true(concernsAll(failed(code, status)), code);
  const one = [
    ['audio_too_long', 400],
    ['storage_quota_exceeded', 402],
    ['idempotency_conflict', 409],
    ['unknown', 413],
  ] as const;
  for (const [code, status] of one) t.false(concernsAll(failed(code, status)), code);
  t.false(concernsAll(new Error('there is no such file')));
  const told = failureAt('http://a.example', failed('unknown', 405)) as Error;
  t.is(told.message, 'http://a.example answered 405, and not as this service does');
});
