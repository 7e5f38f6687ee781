// Words of one language in another one: what announces, and what means something else there.
import test from 'ava';
import { redactionOf } from '../../../models/redaction/redaction-of.ts';
import { findSensitive } from '../../../models/redaction/find-sensitive.ts';
import { languages } from '../../../models/redaction/languages/languages.ts';
import { marked } from './marked.ts';

const switched: readonly (readonly [language: string, text: string])[] = [
  ['de', 'und meine Account Nummer ist die account<77120934> bei Ihnen'],
  ['de', 'ich habe hier die credit card card<5425 2334 3010 9903> von mir'],
  ['de', 'you can reach me unter der phone<0176 1234 5678> bis um sechs'],
  ['de', 'my phone number is phone<four one five five five five two six seven one> danke'],
  ['de', 'mi cuenta es la account<77120934> sagt er'],
  ['en', 'he says that mi número de cuenta es account<77120934> and that is it'],
  ['en', 'so the Kontonummer is account<77120934> and the bank is in Berlin'],
  ['es', 'dice que sein Konto ist account<77120934> en el banco'],
  ['pl', 'mein Konto ist account<77120934>'],
  ['ru', 'my phone number is phone<four one five five five five two six seven one>'],
  ['ru', 'it is email<m dot jones seventy seven at outlook dot com>'],
  ['en', 'мой телефон phone<восемь девятьсот двенадцать триста сорок пять шестьдесят семь>'],
];

test('what announces a number does so in the middle of another language', (t) => {
  for (const [language, expected] of switched)
    t.is(marked(expected.replaceAll(/[a-z]+<|>/g, ''), { language }), expected);
});

const others: readonly (readonly [language: string, text: string])[] = [
  ['de', 'das habe ich nie 1234567 so gesehen'],
  ['de', 'die Hunde bellen nur 1234567 im Park'],
  ['en', 'this is a handy list of 1234567 and more'],
  ['en', 'you will not reach platform 123 4567 from here'],
  ['en', 'on account of the 1234567 that we lost'],
  ['es', 'le mandé la carta de 123456789012 y la leyó'],
  ['fr', 'il compte 3 456 789 habitants'],
  ['fr', 'on mange à la carte 123456789012 fois'],
  ['it', 'la città conta 3 456 789 abitanti'],
  ['ru', 'за счёт 1234567 вкладчиков'],
];

test('a word that means something else in the language of the text announces nothing', (t) => {
  for (const [language, text] of others) t.is(marked(text, { language }), text);
});

test('where the text is not in the language that it is said to be in, all words count', (t) => {
  t.is(marked('mijn nie is 1234567', { language: 'de' }), 'mijn nie is account<1234567>');
  t.is(marked('nie 1234567', { language: 'de' }), 'nie account<1234567>');
  t.is(marked('a conta é 77120934', { language: 'it' }), 'a conta é account<77120934>');
});

test('what counts something does so only in its language, or where none is sure', (t) => {
  const code = redactionOf({ kinds: ['card'] }).redact!;
  const found = (text: string, language: string): number => {
    const words = text
      .split(' ')
      .map((word, i) => ({ word, start: i, end: i + 0.5, speaker: 0, language }));
    return findSensitive(words, code).length;
  };
  t.is(found('le cryptogramme est 123 grand merci à vous pour tout', 'fr'), 1);
  t.is(found('le cryptogramme est pour 123 jours avec vous', 'fr'), 0);
});

test('a language has each of its words once', (t) => {
  for (const { code, common, homographs, fillers, hesitations } of languages)
    for (const list of [common, homographs, fillers, hesitations].filter(Boolean)) {
      const words = list.split(' ');
      t.deepEqual(words, [...new Set(words)], code);
    }
});
