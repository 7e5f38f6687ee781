// Ratio 10: 30 MB stored with hash and length / a plain put of the same bytes.
import { randomBytes } from 'node:crypto';
import type { ObjectStore } from '../../db/objects/object-store.ts';
import { measureRatio, type Ratio } from './ratio.ts';

const blockBytes = 65_536;

export async function measureUpload(objects: ObjectStore): Promise<Ratio> {
  const bytes = randomBytes(30 * 2 ** 20);
  async function* blocks() {
    for (let i = 0; i < bytes.length; i += blockBytes) yield bytes.subarray(i, i + blockBytes);
  }
  let count = 0;
  const ratio = await measureRatio({
    name: '10: 30 MB put / hashed stream (rate ratio)',
    gate: '>= 0.85',
    rounds: 15,
    a: () => objects.putBytes(`plain${count++}`, bytes),
    b: () => objects.putStream(`stream${count++}`, blocks()),
  });
  await objects.delete(await objects.list(''));
  return ratio;
}
