// The last digits of a number, by which people tell cards and accounts apart: "ending in 4242".
import type { DigitRun } from './digit-runs.ts';
import type { SpokenWord } from './kinds.ts';
import { bare, tokensOf, wholeWords } from './tokens.ts';

/** Fewer are no secret, and more often a room or a number of days. */
const minDigits = 4;
const maxDigits = 6;

/** What announces last digits, and how many words may follow before they are said. */
const announcements: readonly { readonly pattern: RegExp; readonly maxWordsAfter: number }[] = [
  {
    pattern: new RegExp(
      wholeWords(
        // Alone only where the digits follow directly.
        '(?:ends|endet|termina|acaba|finisce|eindigt)(?=$)|' +
          'ending(?: in| with)?|ends? (?:in|with)|endet (?:auf|mit)|endend auf|endziffern|' +
          '(?:termina|acaba)(?:d[ao])? (?:en|em)|se termin(?:e|ant) par|fini(?:t|ssant) par|' +
          '(?:termina|finisce) con|eindig(?:t|end) op|(?:com|cartão) final',
      ),
      'gu',
    ),
    maxWordsAfter: 2,
  },
  {
    pattern: new RegExp(
      wholeWords(
        '(?:last|final) (?:four|five|six|[456])' +
          '(?: digits?| numbers?|(?= (?:of|on|are|is|please|from|for) )|(?=\\n|$))|' +
          'letzten (?:vier|4) (?:ziffern|stellen|zahlen)|' +
          'letzten (?:vier|4)(?= (?:der|meiner|ihrer|von|vom) )|' +
          'últim[oa]s (?:cuatro|quatro|4)(?: (?:dígitos|números|cifras)|(?= d[aeo]s? ))|' +
          '(?:quatre|4) derniers(?: chiffres|(?= d))|' +
          'ultim[ei] (?:quattro|4)(?: (?:cifre|numeri)|(?= d))|' +
          'laatste (?:vier|4)(?: (?:cijfers|nummers)|(?= van ))',
      ),
      'gu',
    ),
    maxWordsAfter: 12,
  },
];
const maxWordsBefore = 20;

/** What a thing has of its own. */
const ofThings =
  'serial|model|seriennummer|serienummer|número de s[eé]rie|numéro de série|numero di serie';
/** What else ends in a number, or on a day. */
const others =
  'order|booking|reservation|reference|confirmation|tracking|invoice|receipt|case|ticket|flight|' +
  'room|gate|seat|extension|zip|postcode|plate|year|contract|plan|promotion|offer|' +
  'subscription|warranty|trial|balance|total|amount|bestellung|bestellnummer|zimmer|rechnung|' +
  'vertrag|angebot|pedido|habitación|factura|contrato|reserva|commande|chambre|facture|contrat|' +
  'ordine|camera|fattura|contratto|bestelling|kamer|factuur|fatura|quarto|' +
  '(?:customer|client|policyholder) (?:number|no|id|code)|member (?:number|no|code)|' +
  'kundennummer|mitgliedsnummer|número d[eo] (?:cliente|socio|sócio)|numéro (?:de )?client|' +
  'codice cliente|numero cliente|klantnummer|klantcode|lidnummer|' +
  '(?:item|article|part|product|package|parcel|voucher|catalogue) (?:number|no|code|id)|' +
  'bar ?code|imei|isbn|coordinates|koordinaten|strichcode|(?:artikel|paket|sendungs|teile)nummer|' +
  'código de barras|coordenadas|número de (?:artículo|envío|seguimiento)|code-barres|' +
  "coordonnées gps|numéro (?:d’|d'|de )(?:article|colis|suivi)|codice a barre|coordinate|" +
  `codice articolo|streepjescode|pakketnummer|número do artigo|${ofThings}`;
const linking = 'number|code|id|nummer|número|numéro|numero|that|which|die|que|qui|che|dat';
const verbs = 'is|are|was|es|era|est|ist|lautet|war|è|é';
const otherBefore = new RegExp(`${wholeWords(others)}(?: (?:${linking}))* *$`, 'u');
/** "The serial number of my mobile phone is". */
const devices =
  '(?:(?:cell|mobile) )?phone|cell|mobile|handy|telefon|teléfono|móvil|celular|téléphone|' +
  'portable|telefono|cellulare|telefoon|mobiel|telefone|telemóvel';
const owners = 'my|the|your|this|meinem|dem|ihrem|mi|su|mon|mio|suo|mijn|het|de|meu|o';
const ofDevice =
  '(?: (?:of|on|for|from|von|vom|auf|de|del|du|di|do|da|van)' +
  `(?: (?:${owners}))? (?:${devices}))?`;
/** Said before what was asked for. */
const answers = "(?:it|it's|that|that's|es|das|c'est|yes|sure|okay)";
const isOtherNumber = new RegExp(
  `(?:${wholeWords(others)}(?: (?:${linking}))*|` +
    `${wholeWords(ofThings)}(?: (?:${linking}))*${ofDevice})(?: (?:${verbs}|please|bitte))*` +
    `(?:\\n${answers}(?: (?:${answers}|${verbs}))*)? *$`,
  'u',
);
const otherAfter = new RegExp(`^ (?:of|on|from|for) (?:\\p{L}+ )?${wholeWords(others)}`, 'u');

/** Said before the digits: another number came between. */
const maxDigitsBetween = 2;

/**
 * The last digits that a run says, without the "four" of "last four"; null for other digits.
 * @param words of everybody, by start
 */
export function endingOf(words: readonly SpokenWord[], run: DigitRun): DigitRun | null {
  if (run.digits.length < minDigits || run.digits.length > maxDigits + 1) return null;
  const { first } = run.tokens[0]!;
  const before = words.slice(Math.max(0, first - maxWordsBefore), first);
  const text = textOf(before);
  const counted = withoutCount(words, run, text);
  const ending = counted ?? (isAnnounced(before, text) ? run : null);
  const length = ending?.digits.length ?? 0;
  return length < minDigits || length > maxDigits ? null : ending;
}

/** Whether a run was announced as the number of something else: of an order, a room. */
export function isOfOther(words: readonly SpokenWord[], run: DigitRun): boolean {
  const { first } = run.tokens[0]!;
  return isOtherNumber.test(textOf(words.slice(Math.max(0, first - maxWordsBefore), first)));
}

/** With a line for each sentence and speaker. */
function textOf(words: readonly SpokenWord[]): string {
  return words
    .map(({ word, speaker }, i) => {
      const next = words[i + 1];
      const isLast = next === undefined || next.speaker !== speaker || /[.?!:]$/.test(word);
      return `${bare(word)}${isLast ? '\n' : ' '}`;
    })
    .join('')
    .trimEnd();
}

function withoutCount(
  words: readonly SpokenWord[],
  { digits, tokens, ...run }: DigitRun,
  before: string,
): DigitRun | null {
  const [count, ...rest] = tokens;
  const isCount = count!.digits === String(digits.length - 1);
  if (!isCount || !/(?:^|\s)(?:last|final|letzten|últim[oa]s|ultim[ei]|laatste)$/.test(before))
    return null;
  return { ...run, digits: digits.slice(1), tokens: rest, start: words[rest[0]!.first]!.start };
}

function isAnnounced(before: readonly SpokenWord[], text: string): boolean {
  return announcements.some(({ pattern, maxWordsAfter }) => {
    const said = [...text.matchAll(pattern)].at(-1);
    if (!said) return false;
    const after = text.slice(said.index + said[0].length);
    if (otherBefore.test(text.slice(0, said.index)) || otherAfter.test(after)) return false;
    const between = before.slice(before.length - after.split(/\s/).filter(Boolean).length);
    const digits = tokensOf(between, [...between.keys()]).map((token) => token.digits ?? '');
    return between.length <= maxWordsAfter && digits.join('').length <= maxDigitsBetween;
  });
}
