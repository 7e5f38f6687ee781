// What the client makes of answers that take long, are a text, or are none of the service.
import test from 'ava';
import { createSpeechClient } from '../../../clients/typescript/src/client.ts';
import { SpeechServiceError } from '../../../clients/typescript/src/service-error.ts';
import { fakeClock } from '../../support/fake-clock.ts';

test.serial('an attempt may take as long as the service takes for an answer', async (t) => {
  const advance = fakeClock(t);
  let signal = new AbortController().signal;
  const never: typeof fetch = (_, init) => {
    signal = init!.signal!;
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };
  const retries = { maxFailures: 0 };
  const client = createSpeechClient({ baseUrl: 'http://any', apiKey: 'k', fetch: never, retries });
  const call = client.models();
  advance(301_000);
  t.false(signal.aborted);
  advance(29_000);
  const error = await t.throwsAsync(call, { instanceOf: SpeechServiceError });
  t.is(error?.code, 'unreachable');
});
