// Numbers of things rather than of people: of an order, a room, a parcel.
import { linesOf, wordsBefore } from './context.ts';
import type { DigitRun } from './digit-runs.ts';
import type { SpokenWord } from './kinds.ts';
import { wholeWords } from './tokens.ts';

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

/** Whether a run was announced as the number of something else: of an order, a room. */
export function isOfOther(words: readonly SpokenWord[], run: DigitRun): boolean {
  return isOtherNumber.test(linesOf(wordsBefore(words, run.tokens[0]!.first)));
}

/** Whether a thing is named right before, or right after, words that announce last digits. */
export function namesOther(before: string, after: string): boolean {
  return otherBefore.test(before) || otherAfter.test(after);
}
