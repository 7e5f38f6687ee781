// Maps a stored result to the ProficiencyResult of interface.md, with scores computed from the
// worker's measures.
import { proficiencyFiles } from '../../models/bundles/catalog.ts';
import { modelRow } from '../../models/contract/served-models.ts';
import type { ProficiencyAssessment } from '../../models/proficiency/assessment.ts';
import { measureFluency } from '../../models/proficiency/measures.ts';
import {
  components,
  gradeCefr,
  gradeFluency,
  meanScore,
  recordingScore,
  wordScore,
} from '../../models/proficiency/scores.ts';
import type { FinishedRun } from '../runs/runs.ts';
import { rounded, timeWithin } from '../results/result-fields.ts';
import type { ProficiencyResult } from './schema.ts';
import { toSpeechResult } from '../results/speech-result.ts';

const scope = 'english_pronunciation_read_or_spontaneous';

export function toProficiencyResult(
  request: Parameters<typeof toSpeechResult>[0],
  finished: FinishedRun,
): ProficiencyResult {
  const assessment = finished.result.proficiency!;
  const result = toSpeechResult(request, finished);
  const files = proficiencyFiles(modelRow(request.model));
  return {
    ...result,
    proficiency: toScores(assessment, files, timeWithin(result.duration)),
    check: assessment.check,
  };
}

function toScores(
  assessment: ProficiencyAssessment,
  { calibration, hashes }: ReturnType<typeof proficiencyFiles>,
  time: Clock,
): ProficiencyResult['proficiency'] {
  const { check, speechSeconds, transcriptGiven, windows } = assessment;
  const enough = check.status !== 'insufficient_audio';
  const words = assessment.words.map((word) => ({ ...word, score: wordScore(word, calibration) }));
  const spoken = words.filter(({ phones }) => phones > 0);
  const measures = measureFluency(words);
  const accuracy = meanScore(words);
  const parts = accuracy === null ? null : components(accuracy, measures, calibration);
  const usable = enough && parts !== null;
  const lowConfidence = check.status !== 'scored';
  const cefr = gradeCefr(parts ? recordingScore(parts) : 0, lowConfidence);
  const fluency = gradeFluency(parts?.fluency ?? 0, lowConfidence);
  const alignedSeconds = spoken.reduce((sum, { start, end }) => sum + end - start, 0);
  const continuous = !enough ? 'insufficient_audio' : parts ? 'scored' : 'unavailable';
  return {
    continuous_check: { status: continuous, reason: continuous === 'scored' ? null : check.reason },
    continuous_metadata: {
      speech_seconds: time(alignedSeconds),
      word_count: spoken.length,
      transcript_used: transcriptGiven,
    },
    score: usable ? rounded(recordingScore(parts), 6) : null,
    model_version: 'continuous-pilot-v2',
    word_score_version: 'v2',
    scope,
    score_direction: '0_low_proficiency__1_high_proficiency',
    status: !usable
      ? 'unscorable'
      : spoken.length < words.length
        ? 'partial_word_scores'
        : 'scored',
    components: usable
      ? {
          accuracy: rounded(parts.accuracy, 6),
          fluency: rounded(parts.fluency, 6),
          prosody: rounded(parts.prosody, 6),
        }
      : null,
    words: words.map((word) => toWord(word, usable, time)),
    speech_seconds: time(speechSeconds),
    word_count: words.length,
    scored_word_count: usable ? spoken.length : 0,
    transcript_used: transcriptGiven || words.length > 0,
    reason: check.reason,
    word_calibration: 'logistic_right_against_swapped_words',
    recording_calibration: 'placed_not_trained',
    alignment_method: 'viterbi_phone_posteriors',
    aggregation: windows > 1 ? 'phone_weighted_words_over_windows' : 'phone_weighted_words',
    window_count: windows,
    ...hashes,
    accentedness: null,
    legacy_model_version: 'fluency_cefr-v2-final',
    legacy_check: check,
    cefr: cefr.band,
    cefr_score: rounded(cefr.score, 3),
    cefr_probs: cefr.probabilities,
    confidence: cefr.probabilities[cefr.band],
    fluency: fluency.band,
    fluency_probs: fluency.probabilities,
    fluency_score: rounded(fluency.score, 3),
    features: Object.fromEntries(
      Object.entries(measures).map(([key, value]) => [key, rounded(value, 4)]),
    ),
  };
}

type Clock = ReturnType<typeof timeWithin>;
type ScoredWord = ProficiencyAssessment['words'][number] & { readonly score: number | null };

function toWord(
  { word, start, end, phones, score }: ScoredWord,
  usable: boolean,
  time: Clock,
): ProficiencyResult['proficiency']['words'][number] {
  const scored = usable && score !== null;
  return {
    text: word,
    start_s: phones > 0 ? time(start) : null,
    end_s: phones > 0 ? time(end) : null,
    score: scored ? rounded(score, 6) : null,
    status: scored ? 'scored' : 'unscorable',
    scope: scored ? 'word_pronunciation' : null,
    accentedness: null,
  };
}
