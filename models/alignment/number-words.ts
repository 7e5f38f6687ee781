// Spells digits as the English words that are spoken for them.

const units = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen'],
  'nineteen',
];
const tens = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/**
 * Up to four digits are read as a number; longer ones and those with leading zeros digit by digit.
 */
export function numberWords(digits: string): string {
  if (digits.length > 4 || (digits.length > 1 && digits.startsWith('0'))) {
    return Array.from(digits, (digit) => units[Number(digit)]).join(' ');
  }
  return below10000(Number(digits));
}

function below10000(n: number): string {
  if (n < 20) return units[n]!;
  if (n < 100) return `${tens[Math.floor(n / 10)]}${n % 10 ? ` ${units[n % 10]}` : ''}`;
  const [size, name] = n < 1_000 ? [100, 'hundred'] : [1_000, 'thousand'];
  const rest = n % size;
  return `${below10000(Math.floor(n / size))} ${name}${rest ? ` ${below10000(rest)}` : ''}`;
}
