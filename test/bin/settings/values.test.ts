// Numbers, addresses and base URLs of settings: what a process could not work with is told at once.
import test from 'ava';
import { readApiConfig } from '../../../bin/settings/api-config.ts';
import { InvalidSettings, type Environment } from '../../../bin/settings/read-config.ts';

const whole = {
  DATABASE_URL: 'postgres://svc:secret@db.example:5432/svc',
  S3_BUCKET: 'calls',
  TEMPORAL_ADDRESS: 'temporal.example:7233',
};

function problems(environment: Environment): readonly string[] {
  try {
    readApiConfig({ ...whole, ...environment });
    return [];
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    return error.problems;
  }
}

test('numbers are written in digits, and a deadline is one that a timer can keep', (t) => {
  const wrong = {
    ...{ SVC_PORT: ' ', SVC_MAX_CONNECTIONS: '0x10', SVC_SPECTRA_RUNS: '1e3' },
    ...{ SVC_ANSWER_DEADLINE_SECONDS: '2592000', SVC_DRAIN_SECONDS: '301' },
  };
  t.deepEqual(problems(wrong).toSorted(), [
    'SVC_ANSWER_DEADLINE_SECONDS: must be at most 86400, got "2592000"',
    'SVC_DRAIN_SECONDS: must be at most 300, got "301"',
    'SVC_MAX_CONNECTIONS: must be a number, got "0x10"',
    'SVC_PORT: must be a number, got " "',
    'SVC_SPECTRA_RUNS: must be a number, got "1e3"',
  ]);
  t.deepEqual(problems({ SVC_ANSWER_DEADLINE_SECONDS: '0.3333' }), [
    'SVC_ANSWER_DEADLINE_SECONDS: must be a whole number, got "0.3333"',
  ]);
  t.is(readApiConfig({ ...whole, SVC_DRAIN_SECONDS: '0.5' }).SVC_DRAIN_SECONDS, 0.5);
});

test('addresses have a port that there is', (t) => {
  for (const address of ['a:0', 'a:65536', '[::1]:99999', 'a', 'a b:1', 'http://a:1']) {
    t.deepEqual(problems({ SVC_STREAM_ADDRESS: address, TEMPORAL_ADDRESS: address }), [
      `TEMPORAL_ADDRESS: must be host:port, got "${address}"`,
      `SVC_STREAM_ADDRESS: must be host:port, got "${address}"`,
    ]);
  }
  for (const address of ['a:1', 'machine-c.local:65535', '[fd00::1]:8081', '10.0.0.1:08081'])
    t.deepEqual(problems({ SVC_STREAM_ADDRESS: address }), []);
});

test('paths can follow the public URL', (t) => {
  const found = (SVC_PUBLIC_URL: string) => problems({ SVC_PUBLIC_URL });
  for (const url of ['https://a.example/?x=1', 'https://a.example/#x', 'https://a.example?'])
    t.deepEqual(found(url), [`SVC_PUBLIC_URL: must have no query and no fragment, got "${url}"`]);
  for (const url of ['https://a.example', 'http://a.example:8080/speech/']) {
    t.deepEqual(found(url), []);
  }
});
