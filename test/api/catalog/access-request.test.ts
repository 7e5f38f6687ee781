// The use case of an access request: interface.md limits its characters, which are code points.
import test from 'ava';
import { accessRequestSchema } from '../../../api/catalog/schemas.ts';
import { openApiDocument } from '../../../api/reference/document.ts';

const telephone = '\u{1F4DE}';

for (const [name, text, accepted] of [
  ['2,000 characters beyond the first plane', telephone.repeat(2_000), true],
  ['2,001 of them', telephone.repeat(2_001), false],
  ['5 of them', telephone.repeat(5), false],
  ['10 characters, the last a blank', 'abcdefghi ', true],
  ['2,000 letters and a blank', `${'x'.repeat(2_000)} `, false],
  ['blanks alone', ' '.repeat(20), false],
  ['a NUL', 'long enough\0', false],
] as const) {
  test(`a use case of ${name}: ${accepted ? 'accepted' : 'rejected'}`, (t) => {
    t.is(accessRequestSchema.safeParse({ use_case: text }).success, accepted);
  });
}

test('it is kept without the blanks around it, and OpenAPI has its limits', (t) => {
  t.is(accessRequestSchema.parse({ use_case: '  our calls \n' }).use_case, 'our calls');
  t.regex(JSON.stringify(openApiDocument()), /"use_case":\{[^}]*"minLength":10,"maxLength":2000/);
});
