// What a caller receives while a dependency is down: a 503 that says when to retry.
import test from 'ava';
import { retryAfterOf, toServiceError } from '../../../api/http/errors.ts';
import { ServiceError } from '../../../models/contract/errors.ts';

function withCode(code: string | number, message = 'failed'): Error {
  return Object.assign(new Error(message), { code });
}

function refusal(name: string, httpStatusCode: number): Error {
  return Object.assign(new Error('refused'), { name, $metadata: { httpStatusCode } });
}

const outages: Readonly<Record<string, Error>> = {
  'a refused connection': withCode('ECONNREFUSED'),
  'a full disk': withCode('ENOSPC'),
  'a full disk of PostgreSQL': withCode('53100'),
  'a PostgreSQL that starts': withCode('57P03'),
  'a PostgreSQL without places': withCode('53300'),
  'a standby': withCode('25006'),
  'a statement over its limit': withCode('57014'),
  'a deadlock': withCode('40P01'),
  'a silent PostgreSQL': new Error('Query read timeout'),
  'a connection that was given up': new Error('Client was closed and is not queryable'),
  'a Temporal that cannot be reached': withCode(14),
  'a Temporal that is silent': withCode(4),
  'storage that answers 503': Object.assign(new Error('SlowDown'), {
    $metadata: { httpStatusCode: 503 },
  }),
  'rejected credentials of PostgreSQL': withCode('28P01'),
  'a role that PostgreSQL does not admit': withCode('28000'),
  'a database that is gone': withCode('3D000'),
  'rejected credentials of storage': refusal('InvalidAccessKeyId', 403),
  'expired credentials of storage': refusal('ExpiredToken', 400),
  'no credentials of storage': Object.assign(new Error(), { name: 'CredentialsProviderError' }),
  'a bucket that is gone': refusal('NoSuchBucket', 404),
  'storage that limits its requests': refusal('TooManyRequests', 429),
  'storage that is silent': Object.assign(new Error('late'), { name: 'TimeoutError' }),
};

for (const [name, cause] of Object.entries(outages)) {
  test(`${name} is 503 not_ready with Retry-After`, (t) => {
    for (const thrown of [cause, new Error('outer', { cause }), new AggregateError([cause])]) {
      const error = toServiceError(thrown);
      t.is(error.code, 'not_ready');
      t.true(retryAfterOf(error)! >= 1);
    }
  });
}

test('a mistake of the service itself is not an outage', (t) => {
  const ofStorage = [refusal('NoSuchKey', 404), refusal('EntityTooLarge', 400)];
  const ofDatabase = [withCode('23505'), withCode('42P01')];
  for (const thrown of [new TypeError('x is undefined'), ...ofDatabase, ...ofStorage, 3]) {
    const error = toServiceError(thrown);
    t.is(error.code, 'internal_error');
    t.is(retryAfterOf(error), null);
  }
});

test('every 429 and every outage has Retry-After, wherever it is thrown', (t) => {
  const after = (...args: ConstructorParameters<typeof ServiceError>) =>
    retryAfterOf(new ServiceError(...args));
  t.is(after('rate_limited', 'busy'), 1);
  t.is(after('rate_limited', 'busy', { retryAfterSeconds: 40 }), 40);
  t.is(after('not_ready', 'away'), 2);
  t.is(after('setup_unconfirmed', 'away'), 2);
  t.is(after('invalid_field', 'wrong'), null);
});
