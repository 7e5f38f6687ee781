// A chunk cut at its pauses, and the language of each piece.
import test from 'ava';
import {
  cutAtPauses,
  languagesOfPieces,
} from '../../../../models/analysis/languages/language-pieces.ts';

const hop = 512;
const region = (startHop: number, endHop: number) => ({ startHop, endHop });
const samples = (hops: number) => new Int16Array(hops * hop).fill(1_000);
const seconds = (hops: number) => (hops * hop) / 16_000;

test('pieces meet in the middles of the pauses and cover the chunk', (t) => {
  const pieces = cutAtPauses([region(10, 60), region(70, 130)], samples(150));
  t.deepEqual(pieces, [
    { start: 0, end: 65 * hop },
    { start: 65 * hop, end: 150 * hop },
  ]);
});

test('a short piece stays with the nearer neighbour', (t) => {
  const word = region(64, 80);
  t.true(seconds(16) < 1.2);
  const nearTheFirst = cutAtPauses([region(0, 60), word, region(100, 160)], samples(160));
  t.deepEqual(
    nearTheFirst.map(({ end }) => end / hop),
    [90, 160],
  );
  const nearTheSecond = cutAtPauses([region(0, 50), word, region(82, 160)], samples(160));
  t.deepEqual(
    nearTheSecond.map(({ end }) => end / hop),
    [57, 160],
  );
});

test('short speech alone is one piece, and silence none', (t) => {
  t.deepEqual(cutAtPauses([region(3, 9)], samples(20)), [{ start: 0, end: 20 * hop }]);
  t.deepEqual(cutAtPauses([], samples(20)), []);
});

test('long speech without a pause is cut where it is quietest', (t) => {
  const pcm = samples(200);
  pcm.fill(100, 90 * hop, 92 * hop);
  const pieces = cutAtPauses([region(0, 200)], pcm);
  t.true(pieces.some(({ start }) => start >= 90 * hop && start <= 92 * hop));
  t.true(pieces.every(({ start, end }) => seconds((end - start) / hop) <= 3.6));
  t.true(pieces.every(({ start, end }) => seconds((end - start) / hop) >= 1.2));
});

const around = { before: null, after: null } as const;
const candidates = ['en', 'es'];
const english = (odds: number) => ({ languages: null, english: odds, candidates });
const detected = (es: number, odds = -1) => {
  return { languages: { en: 1 - es, es }, english: odds, candidates };
};

test('a certain piece keeps its language between certain ones of another', (t) => {
  const pieces = [english(6), detected(0.99, -4), english(6)];
  t.deepEqual(languagesOfPieces(pieces, around), ['en', 'es', 'en']);
});

test('a piece between others has to be clearly English', (t) => {
  const between = (odds: number) => {
    const spanish = detected(0.99, -4);
    return languagesOfPieces([spanish, english(odds), spanish], around)[1];
  };
  t.deepEqual([between(5), between(6)], ['es', 'en']);
});

test('an uncertain piece goes by its neighbours', (t) => {
  t.deepEqual(languagesOfPieces([english(6), detected(0.6), english(6)], around), [
    ...['en', 'en', 'en'],
  ]);
  t.deepEqual(languagesOfPieces([detected(0.99, -4), detected(0.5), detected(0.99, -4)], around), [
    ...['es', 'es', 'es'],
  ]);
});

test('what stands around the chunk decides where its pieces do not', (t) => {
  const unsure = [detected(0.55, 0)];
  t.deepEqual(languagesOfPieces(unsure, { ...around, before: 'en' }), ['en']);
  t.deepEqual(languagesOfPieces(unsure, { ...around, before: 'es', after: 'es' }), ['es']);
});

test('what was detected in the whole chunk counts once', (t) => {
  const pieces = [detected(0.55, 0), detected(0.55, 0)];
  const ofChunk = { languages: { en: 0.9, es: 0.1 }, pieces: pieces.length };
  const heard = pieces.map((piece) => ({ ...piece, ofChunk }));
  t.deepEqual(languagesOfPieces(pieces, around), ['es', 'es']);
  t.deepEqual(languagesOfPieces(heard, around), ['en', 'en']);
});

test('a piece that can have one language alone keeps it', (t) => {
  const sure = { candidates: ['es'] };
  t.deepEqual(languagesOfPieces([english(1), sure, english(6)], around), ['es', 'es', 'en']);
});
