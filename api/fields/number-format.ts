// The form field `format_numbers`: spoken numbers in digits.
import type { AnalysisOptions } from '../../models/contract/recording-request.ts';
import { booleanField } from '../http/form-fields.ts';

export const formatNumbersDescription =
  'Writes spoken numbers, days, times, amounts, percentages and telephone numbers of English, ' +
  'Spanish, French, German and Italian in digits: in `text` and `tagged_text`; `words` are as ' +
  'they were spoken.';

export const formatNumbersField = booleanField(formatNumbersDescription);

/** The analysis option of a field. */
export function numberFormat(isFormatted: boolean): Pick<AnalysisOptions, 'formatNumbers'> {
  return isFormatted ? { formatNumbers: true } : {};
}
