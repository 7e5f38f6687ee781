// Names with hyphens and apostrophes.
import test from 'ava';
import { hashOf, nameHashes } from '../../../models/redaction/name-hash.ts';
import { marked } from './marked.ts';

test('a name is found however its parts are joined, in the list and in what is said', (t) => {
  const found = (name: string, text: string): string =>
    marked(text, { redaction: { kinds: [], names: nameHashes(name) } });
  const spellings = ["O'Brien", 'O’Brien', "o'BRIEN’s", 'OBrien'];
  for (const name of ["O'Brien", 'O’BRIEN', 'obrien'])
    for (const text of spellings) t.is(found(name, text), `name<${text}>`, `${name} in ${text}`);
  t.is(found("O'Brien", "O' Brien, or O Brien"), "name<O' Brien,> or name<O Brien>");
  for (const name of ['Jean-Pierre', 'jean pierre', 'Jean‑Pierre'])
    for (const text of ['Jean-Pierre', 'Jean Pierre', 'JEAN–PIERRE'])
      t.is(found(name, text), `name<${text}>`, `${name} in ${text}`);
  t.is(found('Jean-Pierre', 'Jeanpierre'), 'name<Jeanpierre>');
  t.is(found("Sinéad O'Connor-Smith", "Sinead O’Connor Smith's"), "name<Sinead O’Connor Smith's>");
  t.is(found('Smith', 'Ann Smith-Jones and Smithson'), 'Ann name<Smith-Jones> and Smithson');
  t.is(found('Anne', "l'ami d'Anne"), "l'ami name<d'Anne>");
  t.is(found('Ann', "l'ami d'Ann"), "l'ami name<d'Ann>");
  t.is(found('Ann', "Ann'll wait, Ann’d say"), "name<Ann'll> wait, name<Ann’d> say");
  for (const [name, text] of [
    ['Don', "don't"],
    ['Ive', "I've"],
    ['Ill', "I'll"],
    ['Al', "l'al"],
    ['Ina', 'in a'],
    ['Jean-Pierre', 'Jean and Pierre'],
  ] as const)
    t.is(found(name, text), text);
});

test('lists of names that were hashed before find what they found', (t) => {
  for (const [words, text] of [
    [["o'brien"], "O'Brien"],
    [['jean-pierre'], 'Jean-Pierre'],
    [['sinead', "o'connor"], "Sinéad O'Connor's"],
  ] as const)
    t.is(marked(text, { redaction: { kinds: [], names: [hashOf(words)] } }), `name<${text}>`);
});

test('a name is found where it is spelled', (t) => {
  const redaction = {
    kinds: [],
    names: ['Siobhan', 'Müller', 'Rachel Adams'].flatMap(nameHashes),
  };
  for (const expected of [
    'my name is name<Siobhan,> name<S I O B H A N>',
    'name<M. Ü. L. L. E. R.> okay',
    'so it is name<R A C H E L A D A M S> yes',
    'name<S I O B H A N> K E L L Y',
    'K E L L Y name<S, I, O, B, H, A, N.>',
    'a plan B and I A M fine',
    'vitamin A B C D E',
  ])
    t.is(marked(expected.replaceAll(/name<|>/g, ''), { redaction }), expected);
});
