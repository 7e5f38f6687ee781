// The fingerprint of a body is the same in every version: batches of a month know theirs.
import test from 'ava';
import { parseBatch } from '../../../api/batches/parse-batch.ts';

const items = [{ custom_id: 'a', file_id: 'file-0123456789abcdef01234567' }];

function fingerprints(options: object) {
  const body = { task: 'analysis', items, options, metadata: { team: 'north' } };
  const { fingerprint, otherFingerprint } = parseBatch(Buffer.from(JSON.stringify(body)));
  return { fingerprint, otherFingerprint };
}

test('what is stored is what the versions before store, and both forms are known', (t) => {
  t.deepEqual(fingerprints({ diarize: true, redact: ['email'] }), {
    fingerprint: '9bd0e92357052979352a0dd1032284f4e21850d452e74857176f1ac5872cd856',
    otherFingerprint: 'c5f572d4851215173ad603d71c0e7d1390ffc123d59086a08d324e106c334e18',
  });
});

test('an option that is set counts', (t) => {
  const { fingerprint, otherFingerprint } = fingerprints({ vocabulary: ['Halvorsen'] });
  t.is(fingerprint, otherFingerprint);
  t.not(fingerprint, fingerprints({}).fingerprint);
  t.not(fingerprint, fingerprints({ vocabulary: ['Halvorson'] }).fingerprint);
});
