// Terms that were recognised by their letters, and how they are written.
import test from 'ava';
import { doubtfulSpellings } from '../../../../models/asr/terms/spellings.ts';
import { writeTerms } from '../../../../models/asr/terms/write-terms.ts';

const common = new Set('it its will us help desk apple at and t is iphone sharp dot c'.split(' '));
const isCommon = (word: string): boolean => common.has(word);

function write(text: string, ...terms: readonly string[]): string {
  const words = text.split(' ').map((word) => ({ word }));
  const join = ([first]: readonly { word: string }[]) => first!;
  return writeTerms(words, terms, { isCommon, join })
    .map(({ word }) => word)
    .join(' ');
}

test('other cases of the letters become those of the term, with the marks around them', (t) => {
  t.is(
    write('we buy nvidia, "Nvidia" and NVIDIA.', 'NVIDIA'),
    'we buy NVIDIA, "NVIDIA" and NVIDIA.',
  );
  t.is(write('Iphone or an iphone? IPHONE!', 'iPhone'), 'iPhone or an iPhone? iPhone!');
  t.is(
    write("nvidia's chips and mcdonald's", 'NVIDIA', "McDonald's"),
    "NVIDIA's chips and McDonald's",
  );
  t.is(write('ask siobhan o’brien', "Siobhan O'Brien"), "ask Siobhan O'Brien");
  t.is(write('straße in łódź', 'STRASSE', 'Łódź'), 'straße in Łódź');
});

test('signs of a term are read by their names, and one within it may be missing', (t) => {
  t.is(write('c plus plus and C++, not c', 'C++'), 'C++ and C++, not c');
  t.is(write('at and t or AT & T. Also att and at', 'AT&T'), 'AT&T or AT&T. Also AT&T and at');
  t.is(write('the hm of h and m', 'H&M'), 'the hm of H&M');
  t.is(write('in c sharp and dot net and .net.', 'C#', '.NET'), 'in C# and .NET and .NET.');
  t.is(write('node js, node dot js, Node.js', 'Node.js'), 'Node.js, Node.js, Node.js');
  t.is(
    write('yahoo or Yahoo. Barnes and noble', 'Yahoo!', 'Barnes & Noble'),
    'Yahoo! or Yahoo!. Barnes & Noble',
  );
  t.is(write('pizza and o brien', '&pizza', "O'Brien"), 'pizza and o brien');
  t.is(write('foobar', 'foo+bar'), 'foobar');
  t.is(write('at acme inc.', 'ACME Inc.'), 'at ACME Inc.');
});

test('a term in small letters keeps the capital that begins a sentence', (t) => {
  t.is(
    write('Kubectl is it. Ask Kubectl. Kubectl.', 'kubectl'),
    'Kubectl is it. Ask kubectl. Kubectl.',
  );
  t.is(write('KUBECTL is it', 'kubectl'), 'kubectl is it');
});

test('the letters of a common word are a term only where the recogniser says so', (t) => {
  t.is(write("it will be us, it's his", 'IT', 'Will', 'US'), "it will be us, it's his");
  const found = doubtfulSpellings(['Yes,', 'it', "will's", 'it.', 'IT'], ['IT', 'Will'], isCommon);
  t.deepEqual(found, [
    [{ first: 1, end: 2, written: 'IT' }],
    [{ first: 2, end: 3, written: "Will's" }],
    [{ first: 3, end: 4, written: 'IT.' }],
  ]);
  t.is(
    write('will siobhan use an apple iphone', 'Will Siobhan', 'Apple iPhone'),
    'Will Siobhan use an Apple iPhone',
  );
  t.deepEqual(doubtfulSpellings(['c', 'plus', 'plus'], ['C++'], isCommon), []);
});

test('of two terms with the same letters the one that was recognised stays', (t) => {
  t.is(write('Siobhan SIOBHAN', 'SIOBHAN', 'Siobhan'), 'Siobhan SIOBHAN');
  t.is(write('new york times', 'New York', 'New York Times'), 'New York Times');
});
