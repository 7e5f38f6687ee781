// Grouping of a batch's items: each once, in order, in groups of bounded size.
import test from 'ava';
import fc from 'fast-check';
import type { UploadedAudio } from '../../models/contract/recording-request.ts';
import { endOf, groupItems } from '../../workflows/item-groups.ts';

const container = fc.constantFrom<UploadedAudio['container']>(
  'wav',
  'mp3',
  'ogg',
  'flac',
  'm4a',
  'webm',
);
const sizes = fc.record({ container, bytes: fc.integer({ min: 1, max: 4_000_000 }) });

function anItem(position: number, audio: Pick<UploadedAudio, 'container' | 'bytes'>) {
  return { position, upload: { key: `uploads/${position}`, ...audio } };
}

/** Compressed samples take more memory than their bytes. */
function weightOf({ container, bytes }: Pick<UploadedAudio, 'container' | 'bytes'>): number {
  return container === 'wav' || container === 'flac' ? bytes : 3 * bytes;
}

test('property: every item is in one group; recordings have their own', (t) => {
  fc.assert(
    fc.property(fc.array(sizes, { maxLength: 300 }), (items) => {
      const groups = groupItems(items.map((upload, position) => anItem(position, upload)));
      let next = 0;
      for (const group of groups) {
        const from = group.kind === 'clips' ? group.from : group.item.position;
        const to = endOf(group);
        t.is(from, next);
        t.true(to > from && to - from <= (group.kind === 'clips' ? 25 : 1));
        const weight = items.slice(from, to).reduce((sum, item) => sum + weightOf(item), 0);
        t.true(group.kind === 'recording' || weight <= 6_000_000);
        next = to;
      }
      t.is(next, items.length);
    }),
  );
});

test('small clips are grouped; a long clip or a missing position ends the group', (t) => {
  const clip = (position: number) => anItem(position, { container: 'wav', bytes: 64_000 });
  const call = anItem(2, { container: 'mp3', bytes: 2_000_000 });
  t.deepEqual(groupItems([clip(0), clip(1), call, clip(3), clip(5), clip(6)]), [
    { kind: 'clips', from: 0, to: 2 },
    { kind: 'recording', item: call },
    { kind: 'clips', from: 3, to: 4 },
    { kind: 'clips', from: 5, to: 7 },
  ]);
  const many = Array.from({ length: 60 }, (_, i) => clip(i));
  t.deepEqual(
    groupItems(many).map((group) => group.kind === 'clips' && group.to - group.from),
    [25, 25, 10],
  );
  t.deepEqual(groupItems([]), []);
});

test('a clip has a size that depends on its container, and a group has one', (t) => {
  const sized = (container: UploadedAudio['container'], bytes: number) => ({ container, bytes });
  const grouped = (...audio: readonly ReturnType<typeof sized>[]) =>
    groupItems(audio.map((each, position) => anItem(position, each))).map((group) =>
      group.kind === 'clips' ? [group.from, group.to] : group.kind,
    );
  const wav = sized('wav', 3_000_000);
  t.deepEqual(grouped(wav, wav, wav), [
    [0, 2],
    [2, 3],
  ]);
  const mp3 = sized('mp3', 500_000);
  t.deepEqual(grouped(mp3, wav, mp3, mp3, mp3, wav), [
    [0, 3],
    [3, 6],
  ]);
  t.deepEqual(grouped(sized('wav', 3_000_001), sized('flac', 3_000_000)), ['recording', [1, 2]]);
  t.deepEqual(grouped(sized('mp3', 720_001), sized('mp3', 720_000)), ['recording', [1, 2]]);
});
