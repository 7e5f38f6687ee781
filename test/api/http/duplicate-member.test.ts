// Members given twice are found in any JSON, and none is reported where JSON.parse loses nothing.
import test from 'ava';
import fc from 'fast-check';
import { findDuplicateMember } from '../../../api/http/duplicate-member.ts';

for (const [json, path] of [
  ['{"a":1,"a":1}', ['a']],
  ['{"a":1,"\\u0061":2}', ['a']],
  ['{"a":{"b":[0,{"c":1},{"c":1 ,"d":"\\"c\\":" , "c" : 2}]}}', ['a', 'b', 2, 'c']],
  ['{"__proto__":1,"__proto__":2}', ['__proto__']],
  ['{"":1,"":2}', ['']],
  ['{"a\\\\":1,"a\\\\":2}', ['a\\']],
  ['[{"a":[]},{"a":[],"b":"a","a":{}}]', [1, 'a']],
  ['{"a":"a","b":"a","c":["a","a"],"d":{"a":1}}', null],
  ['{"a":"\\",\\"a\\":1"}', null],
  ['"a"', null],
  ['[]', null],
] as const) {
  test(json, (t) => t.deepEqual(findDuplicateMember(json), path && [...path]));
}

/** A JSON value as text, and whether an object in it has a member twice. */
interface Written {
  readonly text: string;
  readonly twice: boolean;
}

const names = fc.oneof(
  fc.constantFrom('a', 'b', '"', '\\', '__proto__', ',', ':', '{"a":1'),
  fc.string({ maxLength: 3 }),
);
const space = fc.constantFrom('', ' ', '\n\t');
const nameText = fc.tuple(names, fc.boolean()).map(([name, escaped]) => {
  const units = Array.from({ length: name.length }, (_, i) =>
    name.charCodeAt(i).toString(16).padStart(4, '0'),
  );
  const text = escaped ? `"${units.map((unit) => `\\u${unit}`).join('')}"` : JSON.stringify(name);
  return { name, text };
});

const { value } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.jsonValue({ maxDepth: 0 }).map((leaf) => ({ text: JSON.stringify(leaf), twice: false })),
    fc.array(fc.tuple(tie('value'), space), { maxLength: 4 }).map((items) => ({
      text: `[${items.map(([item, blank]) => blank + item.text + blank).join(',')}]`,
      twice: items.some(([item]) => item.twice),
    })),
    fc.array(fc.tuple(nameText, tie('value'), space), { maxLength: 4 }).map((members) => ({
      text: `{${members
        .map(([{ text }, item, blank]) => blank + text + blank + ':' + blank + item.text)
        .join(',')}}`,
      twice:
        new Set(members.map(([{ name }]) => name)).size < members.length ||
        members.some(([, item]) => item.twice),
    })),
  ),
}));

test('a duplicate is reported exactly where a member was written twice', (t) => {
  fc.assert(
    fc.property(value, ({ text, twice }) => {
      JSON.parse(text);
      t.is(findDuplicateMember(text) !== null, twice, text);
    }),
    { numRuns: 2_000 },
  );
});

test('the output of JSON.stringify never has a duplicate', (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (any, indent) => {
      t.is(findDuplicateMember(JSON.stringify(any, null, indent)), null);
    }),
  );
});

test('deep and wide texts are read in linear time', (t) => {
  const deep = 1_000_000;
  t.is(findDuplicateMember('['.repeat(deep) + ']'.repeat(deep)), null);
  t.is(findDuplicateMember(JSON.stringify({ a: '\\"'.repeat(deep) })), null);
});
