// Questions for something else than a number of a person: what is answered is no part of the number
// before.
import type { SpokenWord } from './kinds.ts';
import { bare, wholeWords } from './tokens.ts';

const askedFor = new RegExp(
  wholeWords(
    'date|birth\\p{L}*|dob|born|expir\\p{L}*|valid|zip|post ?code|postal code|address|house|' +
      'order|booking|reservation|reference|invoice|receipt|amount|price|cost|pin|items?|' +
      'how (?:many|much|old|long|often)|when|what time|year|month|age|room|floor|serial|model|' +
      'customer|member|geburt\\p{L}*|geboren|gültig|ablauf\\p{L}*|abläuft|postleitzahl|plz|' +
      'hausnummer|bestell\\p{L}*|rechnung\\p{L}*|vertrag\\p{L}*|kundennummer|betrag|preis|' +
      'wie (?:viele?|alt|lange|oft)|wann|uhrzeit|jahr|monat|alter|datum|' +
      'nacimiento|naci[óo]|caduc\\p{L}*|vencimiento|vence|código postal|pedido|importe|monto|' +
      'precio|cuánt[oa]s?|cuándo|año|mes|edad|fecha|factura|reserva|' +
      'naissance|née?|code postal|commande|montant|prix|combien|quand|année|mois|âge|facture|' +
      'nascita|nat[oa]|scad\\p{L}*|cap|ordine|importo|prezzo|quant[oiae]|quando|anno|mese|età|' +
      'fattura|nascimento|nasceu|validade|cep|valor|preço|quant[oa]s|ano|mês|idade|fatura|data|' +
      'geboortedatum|vervald\\p{L}*|geldig|bedrag|prijs|hoeveel|wanneer|jaar|maand|leeftijd|' +
      'factuur|klantnummer|huisnummer|cliente?',
  ),
  'u',
);
const pleases: ReadonlySet<string> = new Set(
  'please bitte favor plaît favore alstublieft'.split(' '),
);

/** Whether words ask for a date, an order, an amount or the like. */
export function asksForOther(words: readonly SpokenWord[]): boolean {
  const isQuestion = words.some(({ word }) => word.endsWith('?') || pleases.has(bare(word)));
  return isQuestion && askedFor.test(words.map(({ word }) => bare(word)).join(' '));
}
