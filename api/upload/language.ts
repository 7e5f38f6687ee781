// The language of a recording, as a caller may fix it.
import { languagesOf } from '../../models/bundles/catalog.ts';
import type { AnalysisOptions } from '../../models/contract/recording-request.ts';
import { defaultModel, modelRow } from '../../models/contract/served-models.ts';
import { choiceField } from '../http/form-fields.ts';

/** Each recording's own language, which is detected. */
export const automatic = 'auto';

/** ISO 639-1 codes of what the models of the common shape recognise. */
export const spokenLanguages = languagesOf(modelRow(defaultModel));

const description =
  'ISO 639-1 code of the spoken language; `auto`: the language of each recording is detected, ' +
  'and `language` of the result names it. Absent: `auto`.';

/** Of forms and of batches alike. */
export const languageField = choiceField([automatic, ...spokenLanguages]).meta({ description });

/** The option that stands for the field; none where the language is found out. */
export function fixedLanguage(language: string | undefined): Pick<AnalysisOptions, 'language'> {
  return language === undefined || language === automatic ? {} : { language };
}
