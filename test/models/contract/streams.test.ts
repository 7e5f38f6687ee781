// Which stream an upgrade is for.
import test from 'ava';
import { streamOfUrl } from '../../../models/contract/streams.ts';

test('a path of a stream is known as the router knows others, and no other one is', (t) => {
  for (const url of [
    '/v1/audio/spectra-2/stream',
    '/v1/audio/spectra-2/stream/',
    '/V1/Audio/Spectra-2/stream?x=/',
  ]) {
    t.is(streamOfUrl(url), 'spectra', url);
  }
  for (const url of ['', '/', '/v1/audio/spectra-2/stream//', '/v1/audio/spectra-2/streams']) {
    t.is(streamOfUrl(url), null, url);
  }
});
