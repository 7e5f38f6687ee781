// Numbers in digits, with the separators and symbols that the Unicode CLDR gives for a language.
import type { NumberLanguage } from './number-language.ts';
import type { SpokenNumber } from './spoken-numbers.ts';

type Quantity = Pick<SpokenNumber, 'value' | 'decimals'>;

/** Digits without separators. */
export function digitsOf(value: number): string {
  return `${value}`;
}

/** From five digits on with separators; with all decimals that were spoken. */
export function decimalText(quantity: SpokenNumber, language: NumberLanguage): string {
  if (quantity.isWritten) return digitsOf(quantity.value);
  const text = format(quantity, language, {});
  const mark = decimalMark(language);
  return quantity.decimals ? text.replace(mark, quantity.point) : text;
}

export function percentText(quantity: Quantity, language: NumberLanguage): string {
  const pattern = new Intl.NumberFormat(language.code, { style: 'percent' }).format(0);
  return pattern.replace('0', format(quantity, language, {})).replaceAll(noBreak, ' ');
}

/** @param currency ISO 4217 */
export function currencyText(
  quantity: Quantity,
  currency: string,
  language: NumberLanguage,
): string {
  return format(quantity, language, {
    // Unlike a year, a price of four digits has the separator that its language uses.
    ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol', useGrouping: 'auto' },
  });
}

/** CLDR puts blanks where no line may break; a transcript has plain ones. */
const noBreak = /[\u00a0\u202f]/g;

function format(
  { value, decimals }: Quantity,
  { code }: NumberLanguage,
  style: Intl.NumberFormatOptions,
): string {
  const digits = decimals.length;
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(code, { useGrouping: 'min2', ...fraction, ...style })
    .format(value)
    .replaceAll(noBreak, ' ');
}

function decimalMark({ code }: NumberLanguage): string {
  return new Intl.NumberFormat(code).format(0.5).slice(1, 2);
}
