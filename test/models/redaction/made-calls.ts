// Made conversations with numbers, addresses and names, and which of their words identify somebody.
// One half was there when the rules were written; the other was looked at once.
import { isIban, passesLuhn } from '../../../models/redaction/checks.ts';
import type { RedactionKind } from '../../../models/contract/redaction.ts';
import type { SpokenWord } from '../../../models/redaction/kinds.ts';
import { createRandom } from '../../support/random.ts';

export interface MadeCall {
  readonly words: readonly SpokenWord[];
  /** The kind of each word; null for what is to stay. */
  readonly truth: readonly (RedactionKind | null)[];
}

/** The list that a caller would give. */
export const names = ['Rachel Adams', 'Müller', 'José', 'Kowalski'];

/** Text with slots: `{card}` is a number that is to be redacted, `A:` and `B:` are speakers. */
type Template = readonly [language: string, text: string];

const known: readonly Template[] = [
  [
    'en',
    'A: Could you read me the card number please? B: Sure it is {card} okay A: And the ' +
      'security code on the back? B: {cvv} A: Thank you that is {money} in total.',
  ],
  ['en', 'B: You can reach me at {phone} after {time} or write to {email} if that is easier.'],
  [
    'en',
    'A: Good morning this is {name} from support. B: Hi my account number is {account} and ' +
      'I ordered {count} pairs on {date}.',
  ],
  [
    'en',
    'B: My number is {phone} A: So that was {phone-echo} right? B: Exactly and we meet at ' +
      '{time} on the {count} floor.',
  ],
  [
    'en',
    'A: The order {order} was sent in {year} and costs {money} B: I paid with my visa ' +
      '{card-split} A: got it',
  ],
  [
    'de',
    'A: Wie lautet Ihre Kontonummer? B: Das ist {iban} A: Danke Frau {name} wir sehen uns ' +
      'um {time} Uhr.',
  ],
  ['de', 'B: Meine Telefonnummer ist {phone} und die Rechnung war {count} Euro.'],
  ['es', 'B: Mi tarjeta es {card} y mi correo es {email} gracias A: Son {count} euros.'],
  ['fr', 'B: Mon numéro est le {phone} A: Merci et la commande est de {count} euros en {year}.'],
  [
    'en',
    'A: Please send it to {email} B: We will be there at the office dot is what we say A: ' +
      'at five then',
  ],
];

const setAside: readonly Template[] = [
  [
    'en',
    'A: What is the long number across the front? B: Okay so {card} A: Expiry? B: {date} A: ' +
      'and the last three digits B: {cvv} A: lovely that is {money}.',
  ],
  [
    'en',
    'A: Can I take a contact telephone? B: Yeah {phone} mobile is best I am free from ' +
      '{time} to {time}.',
  ],
  [
    'en',
    'B: The routing details are {iban} and there were {count} parcels in {year} A: Thanks ' +
      '{name} bye.',
  ],
  [
    'en',
    'B: Email me at {email} please A: That was {email-again} correct? B: Yes it costs ' +
      '{money} for {count} people',
  ],
  [
    'en',
    'A: Social security please. B: {account} A: and your booking {order} for {count} nights ' +
      'from {date}',
  ],
  [
    'de',
    'A: Ihre Kreditkarte bitte B: {card} A: Vielen Dank der Betrag ist {count} Euro im Jahr ' +
      '{year}.',
  ],
  ['it', 'B: Il mio cellulare è {phone} A: grazie signor {name} sono {count} euro'],
  [
    'es',
    'A: Su teléfono por favor B: {phone} A: y la cuenta B: {account} vale somos {count} ' +
      'personas',
  ],
  ['nl', 'B: Mijn telefoonnummer is {phone} en we komen om {time} uur met {count} mensen'],
  [
    'en',
    'A: We sold {count} of them in {year} for {money} each and shipped {order} on {date} at ' +
      '{time} B: great',
  ],
];

export const digitWords: Readonly<Record<string, string>> = {
  en: 'zero one two three four five six seven eight nine',
  de: 'null eins zwei drei vier fünf sechs sieben acht neun',
  es: 'cero uno dos tres cuatro cinco seis siete ocho nueve',
  fr: 'zéro un deux trois quatre cinq six sept huit neuf',
  it: 'zero uno due tre quattro cinque sei sette otto nove',
  nl: 'nul een twee drie vier vijf zes zeven acht negen',
};
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** @param half of the templates. @param seed of their numbers and ways of saying them */
export function madeCalls(half: 'known' | 'set aside', seed: number): readonly MadeCall[] {
  const random = createRandom(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)]!;
  const someDigits = (n: number): string => Array.from({ length: n }, () => below(10)).join('');
  const withLuhn = (prefix: string, length: number): string => {
    const body = prefix + someDigits(length - prefix.length - 1);
    return '0123456789'
      .split('')
      .map((d) => body + d)
      .find(passesLuhn)!;
  };
  const iban = (): string => {
    const body = someDigits(18);
    const all = Array.from({ length: 100 }, (_, i) => `DE${String(i).padStart(2, '0')}${body}`);
    return all.find(isIban)!;
  };

  /** One of the ways in which people, or recognisers, say digits. */
  const say = (digits: string, language: string): string => {
    const words = digitWords[language]!.split(' ');
    const style = below(language === 'en' ? 5 : 3);
    if (style === 0) return digits;
    if (style === 1) return digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
    if (style === 2)
      return digits
        .split('')
        .map((d) => words[Number(d)])
        .join(' ');
    if (style === 3) {
      return digits.replaceAll(/(\d)\1|\d/g, (group) => {
        const word = group[0] === '0' ? 'oh' : words[Number(group[0])]!;
        return group.length === 2 ? `double ${word} ` : `${word} `;
      });
    }
    return digits.replaceAll(/\d{1,2}/g, (group) => {
      const [a, b] = group.split('').map(Number) as [number, number | undefined];
      if (b === undefined || a < 2)
        return group
          .split('')
          .map((d) => `${words[Number(d)]} `)
          .join('');
      return `${tens[a - 2]} ${b === 0 ? '' : words[b]} `;
    });
  };
  const phoneOf = (language: string): string => {
    if (language === 'en') return `${2 + below(8)}${someDigits(2)}${2 + below(8)}${someDigits(6)}`;
    return `0${1 + below(9)}${someDigits(language === 'fr' ? 8 : 9)}`;
  };
  const emailOf = (language: string): string => {
    const [dot, at] = language === 'es' ? ['punto', 'arroba'] : ['dot', 'at'];
    const local = pick([`anna ${dot} berg`, 'j p smith 4 2', 'maria underscore lopez']);
    const domain = pick([`example ${dot} com`, `acme ${dot} co ${dot} uk`]);
    return pick([`${local} ${at} ${domain}`, 'anna.berg@example.com']);
  };
  const slots = (language: string): Readonly<Record<string, () => string>> => ({
    card: () => say(withLuhn(pick(['4', '51', '55']), 16), language),
    'card-split': () => say(withLuhn('4', 16), language).replace(/^(\S+ \S+ ?)/, '$1 uh '),
    cvv: () => say(someDigits(3), language),
    phone: () => say((lastPhone = phoneOf(language)), language),
    'phone-echo': () => say(lastPhone, language),
    email: () => (lastEmail = emailOf(language)),
    'email-again': () => lastEmail,
    account: () => say(someDigits(9), language),
    iban: () =>
      iban()
        .replaceAll(/(.{4})/g, '$1 ')
        .trim(),
    name: () => pick(['Rachel Adams', 'Müller', 'José', 'Kowalski']),
    money: () => pick([`$${below(900)}.50`, 'forty five dollars and twenty cents', '1,250 pounds']),
    time: () => pick(['5:30', 'half past six', 'nine', '10']),
    date: () => pick(['May the third', '12 04 2026', 'the twenty first of June', '03/27']),
    year: () => pick(['2019', 'nineteen ninety five', 'twenty twenty four']),
    count: () => pick(['3', 'twelve', '45', 'one hundred', '250']),
    order: () => pick(['A7 dash 39', 'X15', '48213']),
  });
  const kindOf: Readonly<Record<string, RedactionKind>> = {
    ...{ card: 'card', 'card-split': 'card', cvv: 'card', phone: 'phone', 'phone-echo': 'phone' },
    ...{
      email: 'email',
      'email-again': 'email',
      account: 'account',
      iban: 'account',
      name: 'name',
    },
  };
  let lastPhone = '';
  let lastEmail = '';
  const make = ([language, text]: Template): MadeCall => {
    const words: SpokenWord[] = [];
    const truth: (RedactionKind | null)[] = [];
    let speaker = 0;
    let start = 0;
    const add = (spoken: string, kind: RedactionKind | null): void => {
      for (const word of spoken.split(' ').filter(Boolean)) {
        words.push({ word, start, end: start + 0.3, speaker, language });
        truth.push(kind);
        start += 0.4;
      }
    };
    for (const part of text.split(/ (?=[AB]: )|^/)) {
      speaker = part.startsWith('A') ? 0 : 1;
      for (const piece of part.slice(3).split(/(\{[a-z-]+\}[.?,]?)/)) {
        const [, slot, end = ''] = /^\{([a-z-]+)\}(.?)$/.exec(piece) ?? [];
        if (slot === undefined) add(piece, null);
        else add(slots(language)[slot]!().trim() + end, kindOf[slot] ?? null);
      }
    }
    return { words, truth };
  };
  const templates = half === 'known' ? known : setAside;
  return Array.from({ length: 20 }, () => templates.map(make)).flat();
}
