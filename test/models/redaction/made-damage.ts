// Made sentences with cards of which the recogniser lost or misheard digits, and with long numbers
// of other things. Each line has a sentence that was there when the rules were written, and one
// that was looked at once.
import { passesLuhn } from '../../../models/redaction/checks.ts';
import type { SpokenWord } from '../../../models/redaction/kinds.ts';
import { createRandom } from '../../support/random.ts';

export interface MadeSentence {
  readonly kind: 'card' | 'harmless';
  readonly words: readonly SpokenWord[];
  /** Indexes of the digits of a card. */
  readonly secret: readonly number[];
}

/** `#` is the card's number, which nothing announces. */
const cards = `
so it says # on the front / sure # is that right
go ahead # got it / ready when you are # thanks
I want to pay with # please / okay here it comes # wonderful`;

/** `#12` is a number of twelve digits. */
const harmless = `
my order number is #14 / your order #12 is on its way
the tracking number is #12 / tracking #18 says delivered
the serial number is #13 / it has serial #11 on the back
the barcode is #13 / scan shows #13 for that product
the ISBN is 978 #10 / look up ISBN 9780 #9
my customer number is #10 / your member number is #11
the reference is #12 / quote reference #9 when you call
case #10 was closed / ticket #9 is still open
the IMEI is #15 / my IMEI shows #15 here
one two three four five six seven eight nine ten eleven / ten nine eight seven six five four three
we had 2019 2020 2021 2022 to compare / 2018 2019 2020 2021 were good years
the meter reads #9 / the meter number is #11 and the reading #5
contract #12 ends in May / contract #12 was signed
the lottery numbers were 4 17 23 38 41 49 / we drew 5 12 19 33 42 47
the scores were 21 19 15 21 21 18 / sizes 38 40 42 44 46 48 are there
coordinates 52 5200 13 4050 / coordinates 48 8566 2 3522
invoice #10 from March / receipt #12 please
the item number is #12 / the article number is #9
room numbers 401 402 403 404 / gates 51 52 53 54 55 56
we need 4500 5000 and 5500 units / channels 41 42 43 44 45 46`;

const digitWords = 'zero one two three four five six seven eight nine'.split(' ');

/** @param half of the sentences. @param seed of their numbers */
export function madeDamage(half: 'known' | 'set aside', seed: number): readonly MadeSentence[] {
  const random = createRandom(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const someDigits = (n: number): string => Array.from({ length: n }, () => below(10)).join('');
  const card = (): string => {
    const body = ['4', '51', '53', '55', '2221'][below(5)]! + someDigits(15);
    return '0123456789'
      .split('')
      .map((digit) => body.slice(0, 15) + digit)
      .find(passesLuhn)!;
  };
  const damages: readonly ((digits: string) => string)[] = [
    (digits) => {
      const at = 4 * below(4);
      return digits.slice(0, at) + digits.slice(at + 4);
    },
    (digits) => {
      const at = 1 + below(14);
      return digits.slice(0, at) + digits.slice(at + 1 + below(2));
    },
    (digits) => {
      const at = 1 + below(15);
      return (
        digits.slice(0, at) + ((Number(digits[at]) + 1 + below(9)) % 10) + digits.slice(at + 1)
      );
    },
  ];
  const say = (digits: string): string => {
    const style = below(3);
    if (style === 0) return digits;
    if (style === 1) return digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
    return digits
      .split('')
      .map((digit) => digitWords[Number(digit)])
      .join(' ');
  };
  const halves = (lines: string): readonly string[] =>
    lines
      .trim()
      .split('\n')
      .map((line) => line.split(' / ')[half === 'known' ? 0 : 1]!);
  const make = (kind: MadeSentence['kind'], text: string): MadeSentence => {
    const said = text.split(' ').map((word) => ({
      word: word.replace('~', ''),
      isSecret: word.endsWith('~'),
    }));
    const words = said.map(({ word }, i) => {
      return { word, start: i / 2, end: i / 2 + 0.4, speaker: 0, language: 'en' };
    });
    return { kind, words, secret: [...said.keys()].filter((i) => said[i]!.isSecret) };
  };
  return Array.from({ length: 40 }, () => [
    ...damages.flatMap((damage) =>
      halves(cards).map((text) =>
        make('card', text.replace('#', say(damage(card())).replaceAll(/(?= |$)/g, '~'))),
      ),
    ),
    ...halves(harmless).map((text) => {
      const number = (_: string, count: string): string =>
        say(`${1 + below(9)}${someDigits(Number(count) - 1)}`);
      return make('harmless', text.replaceAll(/#(\d+)/g, number));
    }),
  ]).flat();
}
