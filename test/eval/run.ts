// `npm run eval [-- SECTION ...]`: the models' accuracy on real speech, as Markdown tables.
// A SECTION that there is not is answered with those there are; those that end in `last`, or
// `last-words`, are of data that is read once, and only run by name.
import { availableParallelism } from 'node:os';
import { parseAssignments } from '../../models/bundles/assignments.ts';
import { defaultEnglishBundle } from '../../models/bundles/english-bundles.ts';
import { loadModels } from '../../models/inference/loaded-models.ts';
import { createInferencePool } from '../../models/inference/pool.ts';
import { openModelStore } from '../../models/bundles/store.ts';
import { namesAsked } from '../runner/arguments.ts';
import { evaluateAffect } from './affect.ts';
import { evaluateEnglishOdds } from './english-odds.ts';
import { evaluateDiarization, evaluateSherpa } from './diarization.ts';
import { evaluateLanguage } from './language.ts';
import { evaluateLanguages } from './languages.ts';
import { evaluateLongCalls } from './long-calls.ts';
import { evaluateMixedLanguages } from './mixed-languages.ts';
import { evaluateProficiency } from './proficiency.ts';
import { evaluateNoSpeech } from './no-speech.ts';
import { evaluateRecognition, evaluateWordTimes } from './recognition.ts';
import { evaluateSeams } from './seams.ts';
import { evaluateSynthetic } from './synthetic.ts';
import { byMoonshine, byWhisper, evaluateVocabulary } from './vocabulary.ts';
import { evaluateWhisper } from './whisper.ts';
import { evaluateConfidence } from './word-confidence.ts';

const modelsDirectory = process.env.SVC_MODELS_DIR ?? '';
const store = openModelStore(modelsDirectory);
const englishBundle = process.env.SVC_ENGLISH_BUNDLE || defaultEnglishBundle;
const processes = availableParallelism();
const assignments = parseAssignments(process.env.SVC_ASSIGNMENTS ?? '');

const sections: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  recognition: () => evaluateRecognition(pool),
  language: async () => evaluateLanguage(pool, await loadModels(store, englishBundle)),
  languages: () => evaluateLanguages(pool),
  'mixed-languages': () => evaluateMixedLanguages(pool),
  'mixed-languages-last': () => evaluateMixedLanguages(pool, { last: true }),
  'long-calls': () => evaluateLongCalls(pool),
  'long-calls-last': () => evaluateLongCalls(pool, { last: true }),
  whisper: () => evaluateWhisper(pool),
  'word-times': () => evaluateWordTimes(pool),
  seams: () => evaluateSeams(pool),
  'english-odds': async () => evaluateEnglishOdds(await loadModels(store, englishBundle)),
  confidence: async () => evaluateConfidence(await loadModels(store, englishBundle)),
  vocabulary: async () => evaluateVocabulary(byMoonshine(await loadModels(store, englishBundle))),
  'vocabulary-last': async () =>
    evaluateVocabulary(byMoonshine(await loadModels(store, englishBundle)), { last: true }),
  'vocabulary-whisper': async () => evaluateVocabulary(await byWhisper(store)),
  'vocabulary-whisper-last': async () => evaluateVocabulary(await byWhisper(store), { last: true }),
  affect: () => evaluateAffect(pool),
  'affect-last-words': () => evaluateAffect(pool, { last: true }),
  'no-speech': () => evaluateNoSpeech(pool),
  proficiency: () => evaluateProficiency(pool),
  synthetic: () => evaluateSynthetic(pool),
  diarization: () => evaluateDiarization(pool),
  'sherpa-onnx': () => evaluateSherpa(),
};
/** Evaluated once, after every choice has been made. */
const once = new Set([
  'vocabulary-last',
  'vocabulary-whisper-last',
  'affect-last-words',
  'mixed-languages-last',
  'long-calls-last',
]);
const usual = Object.keys(sections).filter((name) => !once.has(name));
const wanted = namesAsked(process.argv.slice(2), Object.keys(sections), usual);
const pool = createInferencePool({ modelsDirectory, englishBundle, assignments, processes });
await pool.ready();
for (const name of wanted) {
  console.log(`\n## ${name}\n\n${(await sections[name]!()).join('\n')}`);
}
await pool.close();
process.exit(0);
