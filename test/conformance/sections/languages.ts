// Recordings in other languages than English, spoken by a synthesiser.
import assert from 'node:assert/strict';
import { joinSamples } from '../../../models/audio/samples.ts';
import { silence, speechIn, toWav } from '../../support/speech.ts';
import { section, type Entry } from '../case.ts';
import { spokenSamples } from '../recordings.ts';
import { ok, type Service } from '../service.ts';

const contract = section('Results', 'contract.md');

const sentences = {
  de: 'Guten Tag, ich rufe an, weil ich meine Rechnung vom letzten Monat noch nicht bekommen habe.',
  es: 'Buenos días, llamo porque todavía no he recibido la factura del mes pasado.',
  fr: "Bonjour, je vous appelle parce que je n'ai pas encore reçu la facture du mois dernier.",
};
type Language = keyof typeof sentences;
/** A word that is in the sentence and in no English one. */
const words: Readonly<Record<Language, RegExp>> = { de: /ich/i, es: /factura/i, fr: /vous/i };

async function said(language: Language, times: number): Promise<Int16Array> {
  const sentence = await speechIn(language, sentences[language]);
  return joinSamples(Array.from({ length: times }, () => [sentence, silence(0.5)]).flat());
}

async function answered(service: Service, path: string, samples: Int16Array): Promise<any> {
  return ok(await service.post(`/v1/audio/${path}`, { file: toWav(samples) }));
}

export const languages: readonly Entry[] = [
  contract.rule(
    "a recording in one of Spectra-2's other languages is recognised in it and `language` names " +
      'it (ISO 639-1);',
    async (service) => {
      for (const language of Object.keys(sentences) as Language[]) {
        const samples = await said(language, 2);
        for (const path of ['transcriptions', 'analysis']) {
          const { language: found, text } = await answered(service, path, samples);
          assert.equal(found, language, text);
          assert.match(text, words[language]);
        }
      }
    },
  ),
  contract.rule(
    'A recording in several languages: `language` is the one with most speech.',
    async (service) => {
      const [english, spanish] = [await spokenSamples(), await said('es', 4)];
      const mixed = joinSamples([english, silence(1), spanish]);
      assert.equal((await answered(service, 'transcriptions', mixed)).language, 'es');
    },
  ),
  contract.rule(
    'Proficiency of speech that is not English: `low_confidence` with its reason, never a grade.',
    async (service) => {
      const { check } = await answered(service, 'proficiency', await said('de', 2));
      assert.equal(check.status, 'low_confidence', JSON.stringify(check));
      assert.ok(check.reason.length > 10);
    },
  ),
];
