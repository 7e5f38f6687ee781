// What a log line says of an error: its cause and location, and none of the data attached to it.
import { Writable } from 'node:stream';
import test from 'ava';
import { createLogger } from '../../../bin/process/logger.ts';

function logged(fields: object): any {
  const lines: string[] = [];
  const to = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  createLogger('test', 'info', to).error(fields, 'failed');
  return JSON.parse(lines.join(''));
}

test('errors have type, code, message, location and cause, under either name', (t) => {
  const cause = Object.assign(new TypeError('too small'), { code: 'E_SMALL' });
  for (const name of ['err', 'error']) {
    const line = logged({ [name]: new Error('it broke', { cause }) });
    t.like(line[name], { type: 'Error', message: 'it broke' });
    t.like(line[name].cause, { type: 'TypeError', code: 'E_SMALL', message: 'too small' });
    t.regex(line[name].stack, /^ {4}at .*logger\.test\.ts/);
  }
});

test('data attached to an error stays out of the log, and so do a parser’s quotations', (t) => {
  const request = { headers: { authorization: 'Bearer svc_live_secret' } };
  const line = logged({
    err: Object.assign(new Error('rejected'), { request, $response: request }),
  });
  t.notRegex(JSON.stringify(line), /secret/);
  const parsing = t.throws(() => JSON.parse('{"text": "my card number is'));
  t.notRegex(JSON.stringify(logged({ err: parsing })), /card/);
});

test('a cycle of causes ends', (t) => {
  const error = new Error('round');
  error.cause = error;
  t.true(JSON.stringify(logged({ err: error })).length < 20_000);
  t.deepEqual(logged({ error: 'words' }).error, 'words');
});
