// Made conversations in turns, as pauses cut them: `|` ends a turn, and a slot in braces is to be
// hidden. One half was there when the rules were written; the other was looked at once.
import { passesLuhn } from '../../../models/redaction/checks.ts';
import { createRandom } from '../../support/random.ts';
import { digitWords } from './made-calls.ts';

export interface MadeTurn {
  readonly words: readonly { readonly word: string; readonly isSecret: boolean }[];
}

export interface MadeConversation {
  readonly language: string;
  readonly turns: readonly MadeTurn[];
}

type Template = readonly [language: string, text: string];

/** `{c/2}` is a card's number in two turns, `{p/3}` a telephone's in three, `{a/2}` another. */
const known: readonly Template[] = [
  ['en', 'my card number is {c/2} | thank you'],
  ['en', 'yes it is {c/4} | and the code is {v}'],
  ['en', '{c/2} | okay'],
  ['en', 'sure | {c/4} | that is all'],
  ['en', 'you can call me at {p/2} | any day'],
  ['en', '{p/3} | yes'],
  ['en', 'my account number is {a/2} | and my name is Ann'],
  ['en', 'so my number is | {p/2} | did you get that'],
  ['de', 'meine Kartennummer ist {c/2} | danke'],
  ['de', '{p/2} | genau'],
  ['es', 'mi tarjeta es {c/4} | gracias'],
  ['fr', 'mon numéro est le {p/2} | merci'],
  ['it', 'la mia carta è {c/2} | grazie'],
  ['en', 'we moved here in {year} | and then we bought a car'],
  ['en', 'I am in room four hundred twelve | it is cold'],
  ['en', 'room {room} | please'],
  ['en', 'that is {price} | with tax'],
  ['en', 'let us meet at {time} | if you can'],
  ['en', 'I was born in {year} | in Spain'],
  ['en', 'the order number is {order} | can you check'],
  ['en', 'my zip code is {zip} | in Ohio'],
  ['en', 'the train leaves at {time} | I think'],
  ['en', 'about {count} | maybe more'],
  ['en', 'it costs {price} | all in'],
  ['en', 'since {year} | it works'],
  ['en', 'from {year} to {year} | I studied'],
  ['en', 'on {date} | at the office'],
  ['en', 'chapter {small} | page {room}'],
  ['en', 'turn to channel {small} | now'],
  ['en', 'he lives at {street} | Main Street'],
  ['en', 'flight {flight} | is late'],
  ['en', 'I paid with my card on {date} | last week'],
  ['en', 'my phone was {price} | new'],
  ['en', 'my account was opened in {year} | or so'],
  ['en', 'I called you on the phone at {time} | but nobody came'],
  ['en', 'the card has a limit of {count} | a month'],
  ['de', 'wir treffen uns um {time} | am Bahnhof'],
  ['de', 'im Jahr {year} | war das'],
  ['es', 'en el año {year} | nos casamos'],
  ['fr', 'la chambre {room} | merci'],
  ['it', 'sono nato nel {year} | a Roma'],
];

const setAside: readonly Template[] = [
  ['en', 'the long number on the card is {c/4} | and that is it'],
  ['en', 'ok here we go {c/3} | right'],
  ['en', '{c/2} | expires next year'],
  ['en', 'one moment | it says {c/2} | done'],
  ['en', 'reach me on {p/2} | in the evening'],
  ['en', 'it is {p/2} | that is my cell'],
  ['en', 'the account is {a/3} | at your bank'],
  ['en', 'please write down | {p/3} | thanks'],
  ['de', 'die Nummer der Kreditkarte lautet {c/4} | ja'],
  ['de', 'rufen Sie an unter {p/2} | bitte'],
  ['es', 'apunte {c/2} | eso es'],
  ['fr', 'ma carte bleue {c/4} | voilà'],
  ['it', 'il mio cellulare è {p/2} | va bene'],
  ['en', 'the house was built in {year} | by my grandfather'],
  ['en', 'we stay in {room} | until Sunday'],
  ['en', 'the total was {price} | before shipping'],
  ['en', 'wake me up at {time} | please'],
  ['en', 'I graduated in {year} | from college'],
  ['en', 'the reference is {order} | on the letter'],
  ['en', 'postcode {zip} | I believe'],
  ['en', 'there were {count} | in the hall'],
  ['en', 'they offered {price} | for it'],
  ['en', 'the class of {year} | was small'],
  ['en', 'between {year} and {year} | he was away'],
  ['en', 'it happened on {date} | in the morning'],
  ['en', 'version {small} | is out'],
  ['en', 'I weigh {room} | pounds'],
  ['en', 'my office is at {street} | Broadway'],
  ['en', 'we flew on {flight} | to Rome'],
  ['en', 'my card was charged {price} | twice'],
  ['en', 'the account has {count} | in it'],
  ['en', 'I got this phone in {year} | I guess'],
  ['en', 'the number of people is {count} | today'],
  ['en', 'you said on the phone that {time} | is fine'],
  ['de', 'das kostet {count} | im Monat'],
  ['de', 'geboren bin ich {year} | in Köln'],
  ['es', 'la reunión es a las {time} | mañana'],
  ['fr', "c'était en {year} | je crois"],
  ['it', 'costa {count} | al mese'],
];

/** @param half of the templates. @param seed of their numbers and ways of saying them */
export function madeTurns(half: 'known' | 'set aside', seed: number): readonly MadeConversation[] {
  const random = createRandom(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)]!;
  const someDigits = (n: number): string => Array.from({ length: n }, () => below(10)).join('');
  const someNumber = (n: number): string => `${1 + below(9)}${someDigits(n - 1)}`;
  const card = (): string => {
    const body = pick(['4', '51', '55']).padEnd(2, '2') + someDigits(13);
    return '0123456789'
      .split('')
      .map((digit) => body + digit)
      .find(passesLuhn)!;
  };
  const phone = (language: string): string => {
    if (language === 'en') return `${2 + below(8)}${someDigits(2)}${2 + below(8)}${someDigits(6)}`;
    return `0${1 + below(9)}${someDigits(language === 'fr' ? 8 : 9)}`;
  };
  const say = (digits: string, language: string): string => {
    if (below(2) === 0) return digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
    const words = digitWords[language]!.split(' ');
    return digits
      .split('')
      .map((digit) => words[Number(digit)])
      .join(' ');
  };
  /** At the pauses that people make: after groups of a card, of three in a telephone's number. */
  const inTurns = (digits: string, count: number, language: string): string => {
    const size = Math.ceil(digits.length / count);
    const cut = digits.length === 10 && count === 3 ? [3, 6, 10] : [];
    const ends = cut.length > 0 ? cut : Array.from({ length: count }, (_, i) => size * (i + 1));
    return ends.map((end, i) => say(digits.slice(ends[i - 1] ?? 0, end), language)).join(' | ');
  };
  const harmless: Readonly<Record<string, () => string>> = {
    year: () => pick([`19${someDigits(2)}`, 'nineteen ninety five', 'twenty twenty four']),
    room: () => pick(['412', 'four twelve', '118', 'two oh three']),
    price: () =>
      pick(['twelve fifty', `$${someNumber(4)}`, 'forty nine ninety nine', '1,250', someNumber(4)]),
    time: () => pick(['5:30', 'five thirty', 'twelve forty five', '1830', '11 45']),
    count: () => pick(['250', '1500', 'three thousand', someNumber(3), someNumber(4)]),
    order: () => pick(['48213', '4821 3344', 'four eight two one three']),
    zip: () => pick(['94110', 'nine four one one oh']),
    date: () => pick(['12 04 2026', 'the third of May', 'March 27 2019', 'June 5th']),
    small: () => pick(['7', 'twelve', '3.5', '42']),
    street: () => pick(['sixteen hundred', someNumber(3), someNumber(4)]),
    flight: () => pick(['twelve thirty four', '88', someNumber(3), someNumber(4)]),
  };
  return Array.from({ length: 20 }, () => (half === 'known' ? known : setAside))
    .flat()
    .map(([language, text]) => {
      const said = text.replaceAll(/\{(\w+)(?:\/(\d))?\}/g, (_, slot: string, count = '1') => {
        const make = harmless[slot];
        if (make) return make();
        const digits = { c: card, p: () => phone(language), a: () => someDigits(10) }[slot];
        const number = digits ? digits() : someDigits(3);
        return inTurns(number, Number(count), language)
          .split(' ')
          .map((word) => (word === '|' ? word : `${word}~`))
          .join(' ');
      });
      const turns = said.split(' | ').map((turn) => ({
        words: turn.split(' ').map((word) => ({
          word: word.replace('~', ''),
          isSecret: word.endsWith('~'),
        })),
      }));
      return { language, turns };
    });
}
