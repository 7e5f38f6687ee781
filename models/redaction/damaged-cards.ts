// Numbers of cards of which the recogniser lost or misheard digits, so that no check digit tells.
import { isDate } from './classify.ts';
import type { DigitRun } from './digit-runs.ts';

/** A whole group may be missing, of an announced card two, or a digit be heard twice. */
const length = { least: 12, leastAnnounced: 8, most: 17 };
/** Of the usual issuers. */
const beginning = /^(?:4|5[1-5]|2[2-7]|3[47])/;

/** @param run digits that are nothing else, and were not announced as another thing's */
export function isDamagedCard(run: DigitRun, isAnnounced: boolean): boolean {
  const { digits } = run;
  const least = isAnnounced ? length.leastAnnounced : length.least;
  const isLong = least <= digits.length && digits.length <= length.most;
  return isLong && beginning.test(digits) && !isDate(run) && !isSeries(run);
}

/** "41, 42, 43": rooms, channels and sizes in a row. */
function isSeries({ tokens }: DigitRun): boolean {
  const numbers = tokens.map(({ digits }) => Number(digits));
  const steps = numbers.slice(1).map((number, i) => number - numbers[i]!);
  return steps.length > 1 && new Set(steps).size === 1;
}
