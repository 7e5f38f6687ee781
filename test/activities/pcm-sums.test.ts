// Decoded samples in storage: every range is read back unchanged or not at all.
import test from 'ava';
import { openPcmStore } from '../../activities/pcm-store.ts';
import { openSamples, sumsKey } from '../../activities/pcm-sums.ts';
import { openObjectStore } from '../../db/objects/object-store.ts';
import { startS3Proxy } from '../faults/s3-proxy.ts';
import { testServers } from '../support/environment.ts';
import { testObjectStore } from '../support/object-store.ts';
import { createRandom } from '../support/random.ts';
import { noise } from '../support/speech.ts';

test('a range of samples with a flipped bit is rejected', async (t) => {
  const direct = await testObjectStore(t);
  const { s3 } = testServers();
  const random = createRandom(1);
  const proxy = await startS3Proxy(t, s3.endpoint, random);
  const endpoint = `http://127.0.0.1:${proxy.port}`;
  const objects = openObjectStore({ ...s3, endpoint, bucket: direct.bucket });
  t.teardown(() => objects.close());
  const pcm = noise(7);
  const store = openPcmStore({ objects, key: 'pcm', clipSamples: 0, onStore: async () => {} });
  // Blocks of any size, as decoders send them.
  for (let at = 0; at < pcm.length;) {
    const next = at + 1 + Math.floor(random() * 60_000);
    await store.write(pcm.subarray(at, next));
    at = next;
  }
  t.is(await store.end(), null);
  const read = openSamples(objects, 'pcm');
  const spans = [
    [0, pcm.length],
    [0, 1],
    [32_767, 32_769],
    [pcm.length - 1, pcm.length],
    ...Array.from({ length: 8 }, () => {
      const start = Math.floor(random() * (pcm.length - 1));
      return [start, start + 1 + Math.floor(random() * (pcm.length - start - 1))] as const;
    }),
  ] as const;
  for (const [startSample, endSample] of spans) {
    const span = { startSample, endSample };
    t.deepEqual(await read(span), pcm.slice(startSample, endSample));
    proxy.set({ failures: ['flip'], share: 1, latencyMs: 0, times: 1 });
    await t.throwsAsync(read(span), { name: 'ObjectDamaged' });
  }
  // Recordings that the previous version stored have no checksums.
  await direct.delete([sumsKey('pcm')]);
  const span = { startSample: 5, endSample: 50_000 };
  t.deepEqual(await openSamples(objects, 'pcm')(span), pcm.slice(5, 50_000));
});
