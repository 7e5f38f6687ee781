// The samples of a growing recording: unchanged, whatever blocks they arrived in.
import test from 'ava';
import { createSampleBuffer } from '../../../models/analysis/sample-buffer.ts';
import { noise } from '../../support/speech.ts';

test('samples at odd addresses and of many sizes are read back unchanged', (t) => {
  const pcm = noise(20);
  const buffer = createSampleBuffer();
  for (let at = 0, size = 1; at < pcm.length; at += size, size = (size * 7 + 3) % 40_001) {
    const part = pcm.slice(at, at + size);
    // Off by one byte: an Int16Array cannot be a view of it.
    const bytes = new Uint8Array(1 + part.byteLength).subarray(1);
    bytes.set(new Uint8Array(part.buffer));
    buffer.append(bytes);
  }
  t.is(buffer.length, pcm.length);
  t.deepEqual(buffer.slice(0, pcm.length), pcm);
  t.deepEqual(buffer.slice(70_000, 70_010), pcm.slice(70_000, 70_010));
});

test('what lies past the end is left out, although the buffer is larger', (t) => {
  const buffer = createSampleBuffer();
  buffer.append(new Uint8Array(20));
  t.is(buffer.slice(5, 100).length, 5);
});

test('a slice is a copy, so a job may use it while the recording grows', (t) => {
  const buffer = createSampleBuffer();
  buffer.append(Uint8Array.of(1, 0, 2, 0));
  const slice = buffer.slice(0, 2);
  slice.fill(9);
  t.deepEqual(buffer.slice(0, 2), Int16Array.of(1, 2));
});
