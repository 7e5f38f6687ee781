// Finds options of one recording that would change nothing, as the service ignores them.
import { automatic } from '../../api/fields/language.ts';
import { proficiencyForm } from '../../api/proficiency/request.ts';
import { commonForms } from '../../api/speech/request.ts';
import type { SpeechTask } from '../../clients/typescript/src/audio.ts';
import type { FormFields } from '../../clients/typescript/src/recording.ts';
import { taskSteps } from '../../models/contract/tasks.ts';

/** @throws an error that names the first field without an effect */
export function requireEffect(task: SpeechTask, fields: FormFields): void {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const form = task === 'proficiency' ? proficiencyForm : commonForms[task];
  const useless = given.find(
    ([name, value]) => !(name in form.shape) || (name === 'language' && !usesLanguage(task, value)),
  );
  if (useless) throw new Error(`\`${useless[0]}\` has no effect with \`task\` ${task}`);
  if (fields.num_speakers !== undefined && fields.diarize === undefined)
    throw new Error('`num_speakers` requires `diarize`');
}

/** Scores do not depend on the language. */
function usesLanguage(task: SpeechTask, language: unknown): boolean {
  return language === automatic || taskSteps[task].words;
}
