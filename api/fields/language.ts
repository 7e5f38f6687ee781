// The form field `language`: the language of a recording, detected unless the caller fixes it.
import { languagesOf } from '../../models/bundles/catalog.ts';
import type { AnalysisOptions } from '../../models/contract/recording-request.ts';
import { defaultModel, modelRow } from '../../models/contract/served-models.ts';
import { choiceField } from '../http/form-fields.ts';

/** The value that requests detection. */
export const automatic = 'auto';

/** ISO 639-1 codes of what the models of the common shape recognise. */
export const spokenLanguages = languagesOf(modelRow(defaultModel));

const description =
  'ISO 639-1 code of the spoken language; `auto`: the language of each recording is detected, ' +
  'and `language` of the result names it. Absent: `auto`.';

/** The field of forms, and the option of batches. */
export const languageField = choiceField([automatic, ...spokenLanguages]).meta({ description });

/** The analysis option of a field; empty when the language is to be detected. */
export function fixedLanguage(language: string | undefined): Pick<AnalysisOptions, 'language'> {
  return language === undefined || language === automatic ? {} : { language };
}
