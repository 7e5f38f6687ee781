// What a terminal shows of an error that has causes.
import test from 'ava';
import { describeError, reasonOf } from '../../../bin/process/describe-error.ts';

test('a failure is told with its cause, each once', (t) => {
  const refused = new AggregateError([new Error('connect ECONNREFUSED 127.0.0.1:7233')], '');
  const cases: readonly (readonly [unknown, string])[] = [
    [new Error('plain'), 'plain'],
    ['text', 'text'],
    [refused, 'connect ECONNREFUSED 127.0.0.1:7233'],
    [
      new Error('Failed to connect', { cause: new Error('16 UNAUTHENTICATED: invalid key') }),
      'Failed to connect (16 UNAUTHENTICATED: invalid key)',
    ],
    [new Error('it failed: because', { cause: new Error('because') }), 'it failed: because'],
    [
      new Error('no answer: bad port', {
        cause: new TypeError('fetch failed', { cause: new Error('bad port') }),
      }),
      'no answer: bad port',
    ],
    [new Error('it failed', { cause: { status: 500 } }), 'it failed'],
    [new Error('a', { cause: new Error('b', { cause: refused }) }), `a (b (${reasonOf(refused)}))`],
  ];
  for (const [error, reason] of cases) t.is(reasonOf(error), reason);
});

test('the password of a proxy is not among what is logged', (t) => {
  const message = 'Failed to establish tunnel to h:443 via http://svc:secret@proxy:3128: 502';
  const described = JSON.stringify(
    describeError(new Error('no way', { cause: new Error(message) })),
  );
  t.false(described.includes('secret'));
  t.true(described.includes('via http://…@proxy:3128: 502'));
});
