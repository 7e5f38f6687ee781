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
    ['s3://calls/%ff', /encodes no character/],
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
});
