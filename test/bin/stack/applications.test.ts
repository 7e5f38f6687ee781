// How long a stack waits for its API, which answers what it has begun.
import test from 'ava';
import { apiPart } from '../../../bin/stack/applications.ts';

test('an API that drains is not killed before it has let go of its connections', (t) => {
  const secondsOf = (environment: Readonly<Record<string, string>>) =>
    apiPart({ environment, logDirectory: '' }).stopSeconds!;
  t.is(secondsOf({}), 30);
  t.is(secondsOf({ SVC_DRAIN_SECONDS: '60' }), 90);
});
