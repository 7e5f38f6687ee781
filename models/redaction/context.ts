// What was said before a number: it decides what the number is, whoever said it.
import { partition } from '../contract/partition.ts';
import type { SpokenWord } from './kinds.ts';
import { bare, wholeWords } from './tokens.ts';

const maxSecondsBefore = 25;

/** Words that announce a number, by what they announce; alternatives of a pattern. */
const announcements = {
  card:
    'card|credit|debit|visa|mastercard|amex|american express|maestro|kreditkarte|karte|' +
    'kartennummer|tarjeta|carte|carta|kaart|creditcard|cartão',
  securityCode:
    'cvv2?|cvc2?|cv2|c v [vc]|security code|(three|3|four|4)[- ]digits?|' +
    'back of (the|your|my) card|(code|number|digits) (on|from) the back|' +
    'prüfziffer|sicherheitscode|prüfnummer|(drei|3) (ziffern|zahlen|stellen)|dreistellige[rsn]?|' +
    'código de seguridad|(tres|3) (últimos )?(dígitos|números|cifras)|' +
    '(número|código|dígitos) del reverso|code de sécurité|cryptogramme|' +
    '(trois|3) (derniers )?chiffres|(numéro|code|chiffres) au (dos|verso)|' +
    'codice di sicurezza|(tre|3) (ultime )?cifre|(codice|numero|cifre) sul retro|' +
    'beveiligingscode|(drie|3) (laatste )?cijfers|driecijferige|' +
    '(code|cijfers) (op de )?achterkant|' +
    'código de segurança|(três|3) (últimos )?(dígitos|números)|(número|código) do verso',
  account:
    'account|iban|routing|sort code|social security|(my|your|his|her|their) social(?! media)|' +
    'last (four|4) of social|ssn|s s n|passport|policy number|tax id|national insurance|' +
    "driver['’]?s['’]? licen[cs]e|driving licen[cs]e|dni|nie|nif|pasaporte|segur(idad|o) social|" +
    'permiso de conducir|sécurité sociale|sécu|passeport|permis de conduire|' +
    '(sozial|renten)versicherung(snummer)?|versichertennummer|steuer-id|steuernummer|' +
    '(personal)?ausweis(nummer)?|reisepass(nummer)?|' +
    'führerschein(nummer)?|codice fiscale|passaporto|numero di patente|' +
    'bsn|paspoort(nummer)?|rijbewijs(nummer)?|cpf|segurança social|passaporte|' +
    'carta de condução|member id|konto|kontonummer|bankverbindung|bankleitzahl|blz|cuenta|' +
    'compte|conto|rekening|rekeningnummer|conta',
  phone:
    'phone|telephone|call me|call you|call back|callback|ring (me|you)|give me a (ring|call)|' +
    'cell|mobile|reach|text me|whatsapp|(my|the|her|his|their|our) number is|' +
    'contact|fax|telefon|telefonnummer|handy|handynummer|rufnummer|erreichen|teléfono|' +
    'móvil|celular|llamar(me|nos|le|te)?|ll[áa]m[ae](me|nos)|ll[áa]menme|locali[sz]\\p{L}*|' +
    'contacto|(mi|su) número(?! de)|téléphone|portable|' +
    'numéro(?! d)|joindre|telefono|cellulare|(ri)?chiam(are|armi|arci|arla|arlo|i|ami|ate|atemi)|' +
    'telefona(mi|temi|re|rmi)|(mio|suo) numero(?! di)|' +
    '(meine|ihre) nummer|mijn nummer|meu número(?! d)|contato|lig(ue|ar|a|uem)|' +
    'telefoon|telefoonnummer|mobiel|bellen|telefone|telemóvel',
} as const;
export type Announcement = keyof typeof announcements;

const patterns = Object.entries(announcements).map(([kind, alternatives]) => ({
  kind: kind as Announcement,
  pattern: new RegExp(wholeWords(alternatives), 'gu'),
}));

/**
 * The announcements in the time before a moment, the nearest first. Those of one phrase, such as
 * "the phone number on your account", are together, the one that is meant first.
 */
export type Announcements = (seconds: number) => readonly (readonly Announcement[])[];

interface Place {
  readonly kind: Announcement;
  readonly index: number;
  readonly end: number;
}

/** @param words of everybody, by start */
export function announcementsIn(words: readonly SpokenWord[]): Announcements {
  const starts = words.map(({ start }) => start);
  const wordStarts: number[] = [];
  const clauseEnds: number[] = [];
  let text = '';
  for (const { word } of words) {
    wordStarts.push(text.length);
    text += `${bare(word)} `;
    if (/[.,?!;:]$/.test(word)) clauseEnds.push(text.length - 1);
  }
  const all = patterns.map(({ kind, pattern }) => {
    const places = [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({
      kind,
      index,
      end: index + length,
    }));
    return { places, ends: places.map(({ end }) => end) };
  });
  const between = (before: Place, after: Place): string | null => {
    const isEnded = countBelow(clauseEnds, before.end) < countBelow(clauseEnds, after.index);
    return isEnded ? null : text.slice(before.end, after.index).trim();
  };
  return (seconds) => {
    const from = wordStarts[countBelow(starts, seconds - maxSecondsBefore)] ?? text.length;
    const to = wordStarts[countBelow(starts, seconds)] ?? text.length;
    const last = all
      .flatMap(({ places, ends }) => places[countBelow(ends, to) - 1] ?? [])
      .filter(({ index }) => index >= from)
      .toSorted((a, b) => b.end - a.end);
    return phrasesOf(last, between);
  };
}

/** Said between two kinds of which the first is meant: "the account number for your phone". */
const links = new RegExp(
  '(?:^| )(?:on|of|for|to|in|from|zu[mr]?|für|de[lsr]?|des|della?|du|da|do|van|voor|bij|op|' +
    'sul|su|pour|para|sobre)(?: |$)',
  'u',
);
const joins = /(?:^| )(?:and|or|und|oder|et|ou|y|o|e|en|is|est|ist|es|è|é)(?: |$)/u;
const maxLinkWords = 5;

/** @param places the nearest first. @param between what is said there; null over a mark */
function phrasesOf(
  places: readonly Place[],
  between: (before: Place, after: Place) => string | null,
): readonly (readonly Announcement[])[] {
  const phrases: Place[][] = [];
  for (const place of places) {
    const phrase = phrases.at(-1);
    const link = phrase ? between(place, phrase.at(-1)!) : null;
    const isPhrase = link !== null && link.split(' ').length <= maxLinkWords && !joins.test(link);
    if (!isPhrase) phrases.push([place]);
    else if (links.test(link)) phrase!.unshift(place);
    else phrase!.push(place);
  }
  return phrases.map((phrase) => phrase.map(({ kind }) => kind));
}

/** How many of ascending numbers are below a limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  return partition(numbers.length, (i) => numbers[i]! >= limit);
}

/** Whether one of the words announces a number of another kind. */
export function announces(words: readonly SpokenWord[], own: Announcement | null = null): boolean {
  const text = textOf(words);
  return patterns.some(({ kind, pattern }) => kind !== own && text.search(pattern) >= 0);
}

function textOf(words: readonly SpokenWord[]): string {
  return words.map(({ word }) => bare(word)).join(' ');
}

const maxWordsBefore = 20;

/** The last words before one of them. */
export function wordsBefore(words: readonly SpokenWord[], index: number): readonly SpokenWord[] {
  return words.slice(Math.max(0, index - maxWordsBefore), index);
}

/** Their text, with a line for each sentence and speaker. */
export function linesOf(words: readonly SpokenWord[]): string {
  return words
    .map(({ word, speaker }, i) => {
      const next = words[i + 1];
      const isLast = next === undefined || next.speaker !== speaker || /[.?!:]$/.test(word);
      return `${bare(word)}${isLast ? '\n' : ' '}`;
    })
    .join('')
    .trimEnd();
}
