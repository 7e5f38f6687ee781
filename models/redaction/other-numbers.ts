// Numbers of things rather than of people: of an order, a room, a parcel.
import { linesOf, wordsBefore } from './context.ts';
import type { DigitRun } from './digit-runs.ts';
import type { ReadWord } from './kinds.ts';
import { languages, mixedIn, patternIn } from './languages/languages.ts';
import type { RedactionLanguage } from './languages/redaction-language.ts';
import { wholeWords } from './tokens.ts';

/** The patterns of a language; what is said around a thing may be said in English. */
function patternsOf({ others, code }: RedactionLanguage) {
  const mixed = languages.find((each) => each.code === mixedIn)!.others;
  const withMixed = (name: 'linking' | 'verbs' | 'answers'): string =>
    code === mixedIn ? others[name] : `${others[name]}|${mixed[name]}`;
  const { ofThings, things, otherThings, pleases } = others;
  const all = wholeWords(`${ofThings}|${things}|${otherThings}`);
  const linking = `(?: (?:${withMixed('linking')}))*`;
  const verbs = `${withMixed('verbs')}|${pleases}`;
  const answers = `(?:${withMixed('answers')})`;
  return {
    before: new RegExp(`${all}${linking} *$`, 'u'),
    after: new RegExp(`^ (?:${mixed.ofDevice}|${others.ofDevice}) (?:\\p{L}+ )?${all}`, 'u'),
    isOther: new RegExp(
      `(?:${all}${linking}|${wholeWords(ofThings)}${linking}${ofDeviceIn(code)})` +
        `(?: (?:${verbs}))*(?:\\n${answers}(?: (?:${answers}|${verbs}))*)? *$`,
      'u',
    ),
  };
}

/** "The serial number of my mobile phone is". */
function ofDeviceIn(code: string): string {
  const { others, devices } = languages.find((each) => each.code === code)!;
  return `(?: (?:${others.ofDevice})(?: (?:${others.owners}))? (?:${devices}))?`;
}

const namedBefore = patternIn((language) => patternsOf(language).before);
const namedAfter = patternIn((language) => patternsOf(language).after);
const isNamed = patternIn((language) => patternsOf(language).isOther);

/** Whether a run was announced as the number of something else: of an order, a room. */
export function isOfOther(words: readonly ReadWord[], run: DigitRun): boolean {
  const first = run.tokens[0]!.first;
  return isNamed(linesOf(wordsBefore(words, first)), words[first]!.languages);
}

/** Whether a thing is named right before, or right after, words that announce last digits. */
export function namesOther(before: string, after: string, codes: readonly string[]): boolean {
  return namedBefore(before, codes) || namedAfter(after, codes);
}
