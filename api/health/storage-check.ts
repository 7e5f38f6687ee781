// Whether object storage can be worked with. Links to it are busy at times: what is slow but makes
// progress is no failure, as leaving an API out for it would leave out all.
import type { ObjectStore } from '../../db/objects/object-store.ts';
import { silenceMs } from '../../db/objects/object-client.ts';
import { createBackgroundCheck } from './background-check.ts';
import type { Outcome } from './outcome.ts';

/** A storage that takes longer for a request without a body is of no use to callers. */
const answerLimitMs = 4_000;
/** Interval of writes that succeed. */
const writeRestMs = 4_000;
/** The link may be what is wrong, and a write costs it as much as a caller's clip. */
const writeRetryMs = 2_000;

/** @param waitMs after which what was known before is the answer */
export function createStorageCheck(
  objects: Pick<ObjectStore, 'ping' | 'requireWritable'>,
  waitMs: number,
): () => Promise<Outcome> {
  const answers = createBackgroundCheck((signal) => objects.ping(signal), {
    ...{ limitMs: answerLimitMs, restMs: 0, retryMs: 0 },
  });
  const writes = createBackgroundCheck((signal) => objects.requireWritable(signal), {
    ...{ limitMs: silenceMs, restMs: writeRestMs, retryMs: writeRetryMs },
  });
  return async () => {
    const end = performance.now() + waitMs;
    const answered = await answers.outcome(waitMs);
    if (answered.state !== 'ok') {
      writes.cancel();
      return answered;
    }
    const written = await writes.outcome(Math.max(0, end - performance.now()));
    return written.state === 'ok' ? answered : { ...written, state: 'not writable' };
  };
}
