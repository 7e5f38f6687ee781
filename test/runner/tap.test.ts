// The runner's parser of ava's output: no failure is lost, and none is counted twice.
import test from 'ava';
import type { Outcome } from './report.ts';
import { createTapReader } from './tap.ts';

function outcomesOf(stream: string): Outcome[] {
  const outcomes: Outcome[] = [];
  const reader = createTapReader((outcome) => outcomes.push(outcome));
  for (const line of stream.split('\n')) reader.line(line);
  reader.end();
  return outcomes;
}

test('passes, failures with their detail, and skips are distinguished', (t) => {
  const stream = [
    'TAP version 13',
    '# db › accounts › a key is found',
    'ok 1 - db › accounts › a key is found',
    'not ok 2 - db › usage › a debit is made once',
    '  ---',
    '  message: twice',
    '  ...',
    'ok 3 - flows › speech is read # SKIP',
    '1..3',
  ].join('\n');
  t.deepEqual(outcomesOf(stream), [
    { title: 'db › accounts › a key is found', state: 'passed', detail: '' },
    {
      title: 'db › usage › a debit is made once',
      state: 'failed',
      detail: '---\nmessage: twice\n...',
    },
    { title: 'flows › speech is read', state: 'skipped', detail: '' },
  ]);
});

test('what a failing test has logged stands before its detail', (t) => {
  const stream = [
    'not ok 1 - a',
    '#   8 cells differ',
    '  ---',
    '  message: b',
    '  ...',
    '# pass 0',
  ];
  t.deepEqual(outcomesOf(stream.join('\n')), [
    { title: 'a', state: 'failed', detail: '8 cells differ\n---\nmessage: b\n...' },
  ]);
});

test('a failure on the last line is counted', (t) => {
  const [outcome] = outcomesOf('not ok 1 - it crashed');
  t.is(outcome?.state, 'failed');
});

test('comments and output of the tests are not results', (t) => {
  t.deepEqual(outcomesOf('# ok 1 - no\nit is ok 2 - either\n1..0'), []);
});

test('a stream without its plan was truncated', (t) => {
  const reader = createTapReader(() => {});
  reader.line('ok 1 - the first');
  t.false(reader.end());
  reader.line('1..1');
  t.true(reader.end());
});
