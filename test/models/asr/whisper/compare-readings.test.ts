// Languages after short speech was read in several of them.
import test from 'ava';
import { reweighed, type Reading } from '../../../../models/asr/whisper/compare-readings.ts';
import { likeliestLanguage } from '../../../../models/asr/whisper/language-detection.ts';

const detected = { it: 0.75, en: 0.1, es: 0.1, pl: 0.05 };
const reading = (text: string, meanLogProbability: number): Reading => {
  return { text, ended: true, meanLogProbability };
};
const read = {
  it: reading('Porra, ingrese la clave', -0.97),
  en: reading('Por favor ingrese la clave', -0.6),
  es: reading('Por favor ingrese la clave de', -0.2),
} as const;

test('a much more probable text outweighs the detection', (t) => {
  const languages = reweighed(detected, new Map(Object.entries(read)));
  t.is(likeliestLanguage(languages), 'es');
  const sum = Object.values(languages).reduce((total, each) => total + each, 0);
  t.true(Math.abs(sum - 1) < 1e-9);
});

test('texts that are alike leave the detection as it was', (t) => {
  const alike = Object.keys(detected).map(
    (code) => [code, reading('ha desactivado', -0.3)] as const,
  );
  const languages = reweighed(detected, new Map(alike));
  for (const [code, probability] of Object.entries(detected)) {
    t.true(Math.abs(languages[code]! - probability) < 1e-9, code);
  }
});

test('a loop, no text and what was not read count as improbable', (t) => {
  const unfinished = { ...reading('un un un', -0.01), ended: false };
  const loop = reading('ste '.repeat(60), -0.01);
  for (const bad of [unfinished, loop, reading('', -0.01), undefined]) {
    const others = bad ? [['pl', bad] as const] : [];
    const languages = reweighed(detected, new Map([...Object.entries(read), ...others]));
    t.is(likeliestLanguage(languages), 'es');
    t.true(languages.pl! < 1e-3);
  }
});
