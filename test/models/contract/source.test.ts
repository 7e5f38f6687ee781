// Addresses of recordings, and which credentials open them.
import test from 'ava';
import {
  credentialFor,
  filenameOfSource,
  parseSource,
  shownSource,
  type SourceCredential,
} from '../../../models/contract/source.ts';

test('https and s3 are addresses; http only where private networks are allowed', (t) => {
  for (const text of [
    'https://example.com/call.wav',
    'https://example.com:8443/a/b?signature=1',
    's3://calls/2026/11/call%20one.wav',
    's3://calls/room%232/a.wav',
  ])
    t.is(parseSource(text, false).kind, 'source', text);
  t.is(parseSource('http://example.com/call.wav', true).kind, 'source');
  for (const [text, reason] of [
    ['http://example.com/call.wav', /https or s3/],
    ['ftp://example.com/call.wav', /https or s3/],
    ['file:///etc/passwd', /https or s3/],
    ['call.wav', /https or s3/],
    [`https://example.com/${'x'.repeat(2_048)}`, /at most 2048/],
    ['https://ann:secret@example.com/', /user name/],
    ['s3://calls', /bucket and a key/],
    ['s3://calls/', /bucket and a key/],
    ['s3://calls/a?versionId=1', /no more/],
    ['s3://calls/a.wav#take-1', /# of a key are %3F and %23/],
    ['s3://calls/room#2/a.wav', /# of a key/],
    ['s3://calls/a.wav#', /# of a key/],
    ['s3://calls/%ff', /encodes no character/],
    ['https://example.com/calls/..%2fa.wav', /hide \. or \.\./],
    ['s3://calls/2026/%2E%2E%5Ca.wav', /hide \. or \.\./],
  ] as const) {
    const parsed = parseSource(text, false);
    t.is(parsed.kind, 'invalid', text);
    t.regex(parsed.kind === 'invalid' ? parsed.reason : '', reason, text);
  }
});

test('an address is shown without its query, and names the file by its last part', (t) => {
  t.is(shownSource('https://example.com/a.wav?X-Signature=1#2'), 'https://example.com/a.wav');
  t.is(filenameOfSource(new URL('https://example.com/a/b%20c.wav?d')), 'b c.wav');
  t.is(filenameOfSource(new URL('s3://calls/a/ü.wav')), 'ü.wav');
  t.is(filenameOfSource(new URL('https://example.com/')), 'recording');
  t.is(filenameOfSource(new URL('https://example.com/%ff')), '%ff');
  t.is(filenameOfSource(new URL('https://example.com/o/..%2Fnorth%5Ca.wav')), 'a.wav');
});

test('the longest prefix of an address opens it, by whole parts of its path', (t) => {
  const bearer = (prefix: string): SourceCredential => {
    return { prefix, secret: { kind: 'bearer', token: prefix } };
  };
  const all = ['https://a.test/', 'https://a.test/calls/', 's3://calls/', 's3://calls/2026/'];
  const found = (text: string) => credentialFor(new URL(text), all.map(bearer))?.prefix ?? null;
  t.is(found('https://a.test/calls/1.wav'), 'https://a.test/calls/');
  t.is(found('https://a.test/calls-old/1.wav'), 'https://a.test/');
  t.is(found('https://a.test:8443/calls/1.wav'), null);
  t.is(found('http://a.test/calls/1.wav'), null);
  t.is(found('https://b.a.test/'), null);
  t.is(found('s3://calls/2026/1.wav'), 's3://calls/2026/');
  t.is(found('s3://calls/2025/1.wav'), 's3://calls/');
  t.is(found('s3://calls2/1.wav'), null);
  // As the servers read them.
  t.is(found('https://a.test/calls/%2e%2E/1.wav'), 'https://a.test/');
  t.is(found('https://a.test/calls\\..\\1.wav'), 'https://a.test/');
  t.is(found('https://a.test/%63alls/1.wav'), 'https://a.test/');
  t.is(found('https://ann@a.test:443/calls/1.wav'), 'https://a.test/calls/');
  t.is(found('https://a.test@b.test/calls/1.wav'), null);
});

test('no credential goes where a server may resolve the path to another one', (t) => {
  const secret = { kind: 'bearer', token: 'secret' } as const;
  const all = ['https://a.test/calls/', 's3://calls/2026/'].map((prefix) => ({ prefix, secret }));
  const isOpened = (text: string): boolean => credentialFor(new URL(text), all) !== null;
  for (const path of ['..%2f1', '%2e%2e%2F1', '..%5c1', '%252e%252e/1', '%25252e./1', '..;a=1/1']) {
    t.false(isOpened(`https://a.test/calls/${path}`), path);
    t.false(isOpened(`https://a.test/calls/b/${path}`), path);
    t.false(isOpened(`s3://calls/2026/${path}`), path);
  }
  t.false(isOpened('s3://calls/2026/..\\1.wav'));
  for (const path of ['a%2Fb.wav', 'a..%2f.b', '...%2fa', '100%25.wav', 'caf%C3%A9.wav'])
    t.true(isOpened(`https://a.test/calls/${path}`), path);
});
