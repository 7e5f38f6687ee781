// Generated from the OpenAPI document by clients/generator/run.ts; do not edit.
/**
 * `svc-svceet` takes no fields of others: WAV, FLAC, MP3, M4A, OGG or WebM; 0.1 s to 60 s, 4
 * MiB. `svc-spectra-2` takes `file` and `model` and nothing else: mono 16 kHz WAV, FLAC,
 * audio/pcm or audio/f32le; 0.045 s to 60 s, 4 MiB. `include_logits` is 400 `unknown_field`
 * here.
 */
export interface TranscriptionRequest {
  readonly model?: 'svc-resonance' | 'svc-fourier' | 'svc-svceet' | 'svc-spectra-2';
  /**
   * ISO 639-1 code of the spoken language; `auto`: the language of each recording is detected,
   * and `language` of the result names it. Absent: `auto`. `svc-svceet`: en, en-US, en-GB.
   */
  readonly language?:
    | 'auto'
    | 'en'
    | 'bg'
    | 'hr'
    | 'cs'
    | 'da'
    | 'nl'
    | 'et'
    | 'fi'
    | 'fr'
    | 'de'
    | 'el'
    | 'hu'
    | 'it'
    | 'lv'
    | 'lt'
    | 'mt'
    | 'pl'
    | 'pt'
    | 'ro'
    | 'ru'
    | 'sk'
    | 'sl'
    | 'es'
    | 'sv'
    | 'uk'
    | 'en-US'
    | 'en-GB';
  /** `svc-svceet`; absent: json. Optional tasks need JSON. */
  readonly response_format?: 'json' | 'verbose_json' | 'text';
  /** Speaker turns; `svc-resonance` and `svc-svceet`. Absent: false. */
  readonly diarize?: boolean;
  /** Exact number. */
  readonly num_speakers?: number;
  /** `svc-svceet`: emotions of the clip and its segments. Absent: false. */
  readonly emotion_detection?: boolean;
  /**
   * Writes spoken numbers, days, times, amounts, percentages and telephone numbers of English,
   * Spanish, French, German and Italian in digits: in `text` and `tagged_text`; `words` are as
   * they were spoken. Absent: false.
   */
  readonly format_numbers?: boolean;
  /**
   * Names and terms as they are written, separated by commas, semicolons or line breaks: at most
   * 100 of 2 to 64 characters. Where a word sounds alike and the recogniser finds the term
   * almost as likely, it is written instead.
   */
  readonly vocabulary?: string;
  /**
   * What is removed from the transcript: `redactions` of the result tells what and when.
   * Separated by commas: card, account, phone, email.
   */
  readonly redact?: string;
  /** Names of people that are removed as well. Separated by commas. */
  readonly redact_names?: string;
}

export interface EmotionRequest {
  readonly model?: 'svc-resonance' | 'svc-fourier';
  /** Speaker turns; `svc-resonance` and `svc-svceet`. Absent: false. */
  readonly diarize?: boolean;
  /** Exact number. */
  readonly num_speakers?: number;
  /**
   * ISO 639-1 code of the spoken language; `auto`: the language of each recording is detected,
   * and `language` of the result names it. Absent: `auto`.
   */
  readonly language?:
    | 'auto'
    | 'en'
    | 'bg'
    | 'hr'
    | 'cs'
    | 'da'
    | 'nl'
    | 'et'
    | 'fi'
    | 'fr'
    | 'de'
    | 'el'
    | 'hu'
    | 'it'
    | 'lv'
    | 'lt'
    | 'mt'
    | 'pl'
    | 'pt'
    | 'ro'
    | 'ru'
    | 'sk'
    | 'sl'
    | 'es'
    | 'sv'
    | 'uk';
  /** `scores` and `raw_logits` of every label. Absent: false. */
  readonly include_logits?: boolean;
}

export interface StyleRequest {
  readonly model?: 'svc-resonance' | 'svc-fourier';
  /** Speaker turns; `svc-resonance` and `svc-svceet`. Absent: false. */
  readonly diarize?: boolean;
  /** Exact number. */
  readonly num_speakers?: number;
  /**
   * ISO 639-1 code of the spoken language; `auto`: the language of each recording is detected,
   * and `language` of the result names it. Absent: `auto`.
   */
  readonly language?:
    | 'auto'
    | 'en'
    | 'bg'
    | 'hr'
    | 'cs'
    | 'da'
    | 'nl'
    | 'et'
    | 'fi'
    | 'fr'
    | 'de'
    | 'el'
    | 'hu'
    | 'it'
    | 'lv'
    | 'lt'
    | 'mt'
    | 'pl'
    | 'pt'
    | 'ro'
    | 'ru'
    | 'sk'
    | 'sl'
    | 'es'
    | 'sv'
    | 'uk';
  /** `scores` and `raw_logits` of every label. Absent: false. */
  readonly include_logits?: boolean;
}

export interface AffectRequest {
  readonly model?: 'svc-resonance' | 'svc-fourier';
  /** Speaker turns; `svc-resonance` and `svc-svceet`. Absent: false. */
  readonly diarize?: boolean;
  /** Exact number. */
  readonly num_speakers?: number;
  /**
   * ISO 639-1 code of the spoken language; `auto`: the language of each recording is detected,
   * and `language` of the result names it. Absent: `auto`.
   */
  readonly language?:
    | 'auto'
    | 'en'
    | 'bg'
    | 'hr'
    | 'cs'
    | 'da'
    | 'nl'
    | 'et'
    | 'fi'
    | 'fr'
    | 'de'
    | 'el'
    | 'hu'
    | 'it'
    | 'lv'
    | 'lt'
    | 'mt'
    | 'pl'
    | 'pt'
    | 'ro'
    | 'ru'
    | 'sk'
    | 'sl'
    | 'es'
    | 'sv'
    | 'uk';
  /** `scores` and `raw_logits` of every label. Absent: false. */
  readonly include_logits?: boolean;
}

/**
 * `svc-spectra-2` takes `file` and `model` and nothing else: mono 16 kHz WAV, FLAC, audio/pcm
 * or audio/f32le; 0.045 s to 60 s, 4 MiB.
 */
export interface AnalysisRequest {
  readonly model?: 'svc-resonance' | 'svc-fourier' | 'svc-spectra-2';
  /** Speaker turns; `svc-resonance` and `svc-svceet`. Absent: false. */
  readonly diarize?: boolean;
  /** Exact number. */
  readonly num_speakers?: number;
  /**
   * ISO 639-1 code of the spoken language; `auto`: the language of each recording is detected,
   * and `language` of the result names it. Absent: `auto`.
   */
  readonly language?:
    | 'auto'
    | 'en'
    | 'bg'
    | 'hr'
    | 'cs'
    | 'da'
    | 'nl'
    | 'et'
    | 'fi'
    | 'fr'
    | 'de'
    | 'el'
    | 'hu'
    | 'it'
    | 'lv'
    | 'lt'
    | 'mt'
    | 'pl'
    | 'pt'
    | 'ro'
    | 'ru'
    | 'sk'
    | 'sl'
    | 'es'
    | 'sv'
    | 'uk';
  /** `scores` and `raw_logits` of every label. Absent: false. */
  readonly include_logits?: boolean;
  /**
   * Writes spoken numbers, days, times, amounts, percentages and telephone numbers of English,
   * Spanish, French, German and Italian in digits: in `text` and `tagged_text`; `words` are as
   * they were spoken. Absent: false.
   */
  readonly format_numbers?: boolean;
  /**
   * Names and terms as they are written, separated by commas, semicolons or line breaks: at most
   * 100 of 2 to 64 characters. Where a word sounds alike and the recogniser finds the term
   * almost as likely, it is written instead.
   */
  readonly vocabulary?: string;
  /**
   * What is removed from the transcript: `redactions` of the result tells what and when.
   * Separated by commas: card, account, phone, email.
   */
  readonly redact?: string;
  /** Names of people that are removed as well. Separated by commas. */
  readonly redact_names?: string;
}

export interface ProficiencyRequest {
  readonly model?: 'svc-proficiency-1';
  /** The text that was read. */
  readonly transcript?: string;
}

export interface Resonance2Request {
  readonly model?: 'svc-resonance-2' | 'resonance-2';
}

export interface SyntheticSpeechRequest {
  readonly model?: 'svczero';
}

/**
 * `diarize`, `num_speakers`, `include_logits`, `language`: as on the endpoint of the task;
 * options without effect, which it would ignore, are rejected.
 */
export interface BatchRequestOptions {
  readonly diarize?: boolean;
  readonly num_speakers?: number | null;
  readonly include_logits?: boolean;
  /**
   * ISO 639-1 code of the spoken language; `auto`: the language of each recording is detected,
   * and `language` of the result names it. Absent: `auto`.
   */
  readonly language?:
    | 'auto'
    | 'en'
    | 'bg'
    | 'hr'
    | 'cs'
    | 'da'
    | 'nl'
    | 'et'
    | 'fi'
    | 'fr'
    | 'de'
    | 'el'
    | 'hu'
    | 'it'
    | 'lv'
    | 'lt'
    | 'mt'
    | 'pl'
    | 'pt'
    | 'ro'
    | 'ru'
    | 'sk'
    | 'sl'
    | 'es'
    | 'sv'
    | 'uk';
  /**
   * Writes spoken numbers, days, times, amounts, percentages and telephone numbers of English,
   * Spanish, French, German and Italian in digits: in `text` and `tagged_text`; `words` are as
   * they were spoken.
   */
  readonly format_numbers?: boolean;
  /** What is removed from the transcript: `redactions` of the result tells what and when. */
  readonly redact?: readonly ('card' | 'account' | 'phone' | 'email')[];
  /** Names of people that are removed as well. */
  readonly redact_names?: readonly string[];
  /**
   * Names and terms as they are written, each as an item: at most 100 of 2 to 64 characters.
   * Where a word sounds alike and the recogniser finds the term almost as likely, it is written
   * instead.
   */
  readonly vocabulary?: readonly string[];
  /** `separate`: one speaker per channel, and no diarization. */
  readonly channels?: 'mix' | 'separate';
  /** Who speaks on which channel; with `channels` separate. */
  readonly channel_roles?: readonly string[];
}

export interface BatchFileItem {
  /** The caller's name; once in a batch. */
  readonly custom_id: string;
  readonly file_id: string;
  /** At most 16 pairs of text; stored and returned unchanged. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface BatchSourceItem {
  /** The caller's name; once in a batch. */
  readonly custom_id: string;
  readonly source: RecordingSource;
  /** At most 16 pairs of text; stored and returned unchanged. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface BatchRequestWebhook {
  readonly url: string;
}

/** One hour to 30 days; absent: 30 days. */
export interface BatchRequestOutputExpiresAfter {
  readonly anchor: 'created_at';
  readonly seconds: number;
}

export interface BatchRequest {
  readonly task: 'transcription' | 'emotion' | 'style' | 'affect' | 'analysis';
  readonly model?: 'svc-resonance' | 'svc-fourier';
  /**
   * `diarize`, `num_speakers`, `include_logits`, `language`: as on the endpoint of the task;
   * options without effect, which it would ignore, are rejected.
   */
  readonly options?: BatchRequestOptions;
  readonly items: readonly (BatchFileItem | BatchSourceItem)[];
  /** At most 16 pairs of text; stored and returned unchanged. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly webhook?: BatchRequestWebhook;
  /** One hour to 30 days; absent: 30 days. */
  readonly output_expires_after?: BatchRequestOutputExpiresAfter;
}

/**
 * `https://…` or `s3://BUCKET/KEY`: fetched by the service when the recording is analysed,
 * from public addresses, with the credentials that an operator stored for it.
 */
export interface RecordingSource {
  readonly url: string;
}

export interface FileRequest {
  readonly purpose?: 'batch';
  readonly 'expires_after[anchor]'?: 'created_at';
  /** Absent: 30 days. */
  readonly 'expires_after[seconds]'?: number;
}

/** One hour to 30 days; absent: 30 days. */
export interface SourcedFileRequestExpiresAfter {
  readonly anchor: 'created_at';
  readonly seconds: number;
}

export interface SourcedFileRequest {
  readonly source: RecordingSource;
  /** Absent: the last part of the address. */
  readonly filename?: string;
  /** One hour to 30 days; absent: 30 days. */
  readonly expires_after?: SourcedFileRequestExpiresAfter;
}

/** One hour to 30 days; absent: 30 days. */
export interface PresignRequestExpiresAfter {
  readonly anchor: 'created_at';
  readonly seconds: number;
}

export interface PresignRequest {
  readonly filename: string;
  readonly bytes: number;
  /** One hour to 30 days; absent: 30 days. */
  readonly expires_after?: PresignRequestExpiresAfter;
}

export interface WebhookTestRequest {
  readonly url: string;
}

export interface SpeechResultUsage {
  readonly audio_seconds: number;
  readonly billable_seconds: number;
  readonly rate_per_minute_usd: string;
  readonly estimated_cost_usd: string;
  readonly pricing_version: string;
  readonly billing_unit: 'audio_second' | 'request';
  readonly rate_per_request_usd: string | null;
}

export interface SpeechResult {
  readonly id: string;
  readonly object: 'speech.result';
  readonly task: 'transcription' | 'emotion' | 'style' | 'affect' | 'analysis' | 'proficiency';
  readonly model: string;
  readonly text: string | null;
  readonly tagged_text: string | null;
  readonly language: string | null;
  readonly duration: number;
  readonly emotions: readonly Score[];
  readonly styles: readonly Score[];
  readonly segments: readonly Segment[];
  readonly diarized: boolean;
  readonly speakers: readonly string[];
  readonly usage: SpeechResultUsage;
  readonly redactions?: readonly Redaction[];
}

export interface Score {
  readonly label: string;
  readonly score: number;
}

export interface Segment {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly text: string | null;
  readonly tagged_text: string | null;
  readonly words: readonly Word[];
  readonly emotions: readonly Score[];
  readonly styles: readonly Score[];
  readonly speaker: string | null;
  readonly scores?: Readonly<Record<string, number>>;
  readonly raw_logits?: Readonly<Record<string, number>>;
}

export interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly confidence: number | null;
}

/** Speech that was removed from the transcript. */
export interface Redaction {
  readonly kind: 'card' | 'account' | 'phone' | 'email' | 'name';
  readonly start: number;
  readonly end: number;
  readonly speaker: string | null;
}

export interface LiteResultEmotionDetectionSegments {
  readonly start: number;
  readonly end: number;
  readonly emotions: readonly Score[];
  readonly scores: Readonly<Record<string, number>>;
}

export interface LiteResultEmotionDetection {
  readonly emotions: readonly Score[];
  readonly scores: Readonly<Record<string, number>>;
  readonly thresholds: Readonly<Record<string, number>>;
  readonly segments: readonly LiteResultEmotionDetectionSegments[];
}

export interface LiteResultSegments {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly speaker: string;
  readonly text: string;
}

export interface LiteResultUsage {
  readonly audio_seconds: number;
  readonly billable_seconds: number;
  readonly billing_basis: 'subscription' | 'prepaid';
  readonly cost_microusd: number;
  readonly estimated_cost_usd: string;
  readonly rate_per_minute_usd: string;
  readonly pricing_version: string;
  readonly tasks: readonly string[];
}

export interface LiteResult {
  readonly id: string;
  readonly object: 'audio.transcription';
  readonly model: 'svc-svceet';
  readonly text: string;
  readonly duration: number;
  readonly audio_seconds: number;
  readonly language: 'en';
  readonly asr_ms?: number;
  readonly server_ms?: number;
  readonly emotions: readonly Score[];
  readonly styles: readonly Score[];
  readonly emotion_detection?: LiteResultEmotionDetection;
  readonly diarized: boolean;
  readonly speakers: readonly string[];
  readonly segments?: readonly LiteResultSegments[];
  readonly usage: LiteResultUsage;
  readonly request_id: string;
}

export interface Spectra2ResultUsage {
  readonly audio_seconds: number;
  readonly billable_seconds: number;
  readonly rate_per_minute_usd: string;
  readonly estimated_cost_usd: string;
  readonly pricing_version: string;
  readonly billing_unit: 'audio_second' | 'request';
}

export interface Spectra2Result {
  readonly id: string;
  readonly object: 'speech.result';
  readonly model: 'svc-spectra-2';
  readonly task: 'transcription' | 'analysis';
  readonly text: string;
  readonly duration: number;
  readonly emotions: readonly Score[];
  readonly styles: readonly Score[];
  readonly usage: Spectra2ResultUsage;
}

export interface ErrorEnvelopeError {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly request_id: string | null;
}

export interface ErrorEnvelope {
  readonly error: ErrorEnvelopeError;
}

export interface ProficiencyResultUsage {
  readonly audio_seconds: number;
  readonly billable_seconds: number;
  readonly rate_per_minute_usd: string;
  readonly estimated_cost_usd: string;
  readonly pricing_version: string;
  readonly billing_unit: 'audio_second' | 'request';
  readonly rate_per_request_usd: string | null;
}

export interface ProficiencyResultCheck {
  readonly status: 'scored' | 'low_confidence' | 'insufficient_audio';
  readonly billable: boolean;
  readonly reason: string | null;
}

export interface ProficiencyResultProficiencyContinuousCheck {
  readonly status: 'scored' | 'insufficient_audio' | 'unavailable';
  readonly reason: string | null;
}

export interface ProficiencyResultProficiencyContinuousMetadata {
  readonly speech_seconds: number;
  readonly word_count: number;
  readonly transcript_used: boolean;
}

export interface ProficiencyResultProficiencyComponents {
  readonly accuracy: number;
  readonly fluency: number;
  readonly prosody: number;
}

export interface ProficiencyResultProficiencyWords {
  readonly text: string;
  readonly start_s: number | null;
  readonly end_s: number | null;
  readonly score: number | null;
  readonly status: 'scored' | 'unscorable';
  readonly scope: string | null;
  readonly accentedness: null;
}

export interface ProficiencyResultProficiencyLegacyCheck {
  readonly status: 'scored' | 'low_confidence' | 'insufficient_audio';
  readonly billable: boolean;
  readonly reason: string | null;
}

export interface ProficiencyResultProficiency {
  readonly continuous_check: ProficiencyResultProficiencyContinuousCheck;
  readonly continuous_metadata: ProficiencyResultProficiencyContinuousMetadata;
  readonly score: number | null;
  readonly model_version: 'continuous-pilot-v2';
  readonly word_score_version: 'v2';
  readonly scope: string;
  readonly score_direction: '0_low_proficiency__1_high_proficiency';
  readonly status: 'scored' | 'partial_word_scores' | 'unscorable';
  readonly components: ProficiencyResultProficiencyComponents | null;
  readonly words: readonly ProficiencyResultProficiencyWords[];
  readonly speech_seconds: number;
  readonly word_count: number;
  readonly scored_word_count: number;
  readonly transcript_used: boolean;
  readonly reason: string | null;
  readonly word_calibration: string;
  readonly recording_calibration: string;
  readonly alignment_method: string;
  readonly aggregation: string | null;
  readonly window_count: number | null;
  readonly encoder_sha256: string | null;
  readonly alignment_checkpoint_sha256: string | null;
  readonly phone_lexicon_sha256: string | null;
  readonly word_checkpoint_sha256: readonly string[];
  readonly accentedness: null;
  readonly legacy_model_version: 'fluency_cefr-v2-final';
  readonly legacy_check: ProficiencyResultProficiencyLegacyCheck | null;
  readonly cefr: 'A1' | 'A2' | 'B1' | 'B2' | 'C1' | 'C2';
  readonly cefr_score: number;
  readonly cefr_probs: Readonly<Record<string, number>>;
  readonly confidence: number;
  readonly fluency: 'low' | 'intermediate' | 'high';
  readonly fluency_probs: Readonly<Record<string, number>>;
  readonly fluency_score: number;
  readonly features: Readonly<Record<string, number>>;
}

export interface ProficiencyResult {
  readonly id: string;
  readonly object: 'speech.result';
  readonly task: 'transcription' | 'emotion' | 'style' | 'affect' | 'analysis' | 'proficiency';
  readonly model: string;
  readonly text: string | null;
  readonly tagged_text: string | null;
  readonly language: string | null;
  readonly duration: number;
  readonly emotions: readonly Score[];
  readonly styles: readonly Score[];
  readonly segments: readonly Segment[];
  readonly diarized: boolean;
  readonly speakers: readonly string[];
  readonly usage: ProficiencyResultUsage;
  readonly redactions?: readonly Redaction[];
  readonly check: ProficiencyResultCheck;
  readonly proficiency: ProficiencyResultProficiency;
}

export interface Resonance2ResultUsage {
  readonly audio_seconds: number;
  readonly billable_seconds: number;
  readonly rate_per_minute_usd: string;
  readonly estimated_cost_usd: string;
  readonly pricing_version: string;
  readonly billing_unit: 'audio_second' | 'request';
  readonly rate_per_request_usd: string | null;
  readonly rate_per_hour_usd: string | null;
}

export interface Resonance2Result {
  readonly model: 'svc-resonance-2';
  readonly model_revision: string;
  readonly calibration_revision: string;
  readonly duration: number;
  readonly window_count: number;
  readonly aggregation: 'mean_window_logits';
  readonly scores: Readonly<Record<string, number>>;
  readonly axes: Readonly<Record<string, number>>;
  readonly unipolar: Readonly<Record<string, number>>;
  readonly labels: readonly Score[];
  readonly regime: 'f1' | 'precision';
  readonly calibrated: true;
  readonly abstained: boolean;
  readonly abstention_reason: 'digital_silence' | null;
  readonly inference_ms: number;
  readonly id: string;
  readonly object: 'speech.affect.result';
  readonly task: 'affect';
  readonly usage: Resonance2ResultUsage;
}

export interface Resonance2ErrorDetail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

export interface Resonance2Error {
  readonly detail: readonly Resonance2ErrorDetail[];
}

export interface SyntheticSpeechResultSegments {
  readonly start: number;
  readonly end: number;
  readonly synthetic_score: number;
  readonly prediction: 'human' | 'synthetic';
}

export interface SyntheticSpeechResultUsage {
  readonly audio_seconds: number;
  readonly billable_seconds: number;
  readonly rate_per_minute_usd: string;
  readonly estimated_cost_usd: string;
  readonly pricing_version: string;
  readonly billing_unit: 'audio_second' | 'request';
  readonly rate_per_request_usd: string | null;
}

export interface SyntheticSpeechResult {
  readonly object: 'synthetic_speech.result';
  readonly model: 'svczero';
  readonly model_revision: '2026-10-05-adapt-216';
  readonly duration: number;
  readonly prediction: 'human' | 'synthetic';
  readonly synthetic_score: number;
  readonly threshold: 0.5;
  readonly score_type: 'uncalibrated_sigmoid';
  readonly aggregation: 'coverage_weighted_mean_logit';
  readonly segments: readonly SyntheticSpeechResultSegments[];
  /**
   * `long_audio_aggregation_is_experimental` over 20 s; `segments_disagree`;
   * `no_speech_detected`, `segments_without_speech`; `other_language_detected`: it sounds like
   * another language than English, in which synthetic voices are mostly not found. Others may
   * follow.
   */
  readonly warnings: readonly string[];
  readonly id: string;
  readonly usage: SyntheticSpeechResultUsage;
}

/**
 * `diarize`, `num_speakers`, `include_logits`, `language`: as on the endpoint of the task;
 * options without effect, which it would ignore, are rejected.
 */
export interface BatchOptions {
  readonly diarize: boolean;
  readonly num_speakers: number | null;
  readonly include_logits: boolean;
  /**
   * ISO 639-1 code of the spoken language; `auto`: the language of each recording is detected,
   * and `language` of the result names it. Absent: `auto`.
   */
  readonly language:
    | 'auto'
    | 'en'
    | 'bg'
    | 'hr'
    | 'cs'
    | 'da'
    | 'nl'
    | 'et'
    | 'fi'
    | 'fr'
    | 'de'
    | 'el'
    | 'hu'
    | 'it'
    | 'lv'
    | 'lt'
    | 'mt'
    | 'pl'
    | 'pt'
    | 'ro'
    | 'ru'
    | 'sk'
    | 'sl'
    | 'es'
    | 'sv'
    | 'uk';
  /**
   * Writes spoken numbers, days, times, amounts, percentages and telephone numbers of English,
   * Spanish, French, German and Italian in digits: in `text` and `tagged_text`; `words` are as
   * they were spoken.
   */
  readonly format_numbers: boolean;
  /** What is removed from the transcript: `redactions` of the result tells what and when. */
  readonly redact: readonly ('card' | 'account' | 'phone' | 'email')[];
  /** Names of people that are removed as well. */
  readonly redact_names: readonly string[];
  /**
   * Names and terms as they are written, each as an item: at most 100 of 2 to 64 characters.
   * Where a word sounds alike and the recogniser finds the term almost as likely, it is written
   * instead.
   */
  readonly vocabulary: readonly string[];
  /** `separate`: one speaker per channel, and no diarization. */
  readonly channels: 'mix' | 'separate';
  /** Who speaks on which channel; with `channels` separate. */
  readonly channel_roles: readonly string[];
}

export interface BatchRequestCounts {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
}

export interface BatchAudioSeconds {
  /** As they were charged. */
  readonly done: number;
  /** Estimated from bytes; null until some work is done. */
  readonly left: number | null;
}

export interface BatchWebhook {
  readonly url: string;
}

export interface Batch {
  readonly id: string;
  readonly object: 'batch';
  readonly task: 'transcription' | 'emotion' | 'style' | 'affect' | 'analysis';
  readonly model: 'svc-resonance' | 'svc-fourier';
  /**
   * `diarize`, `num_speakers`, `include_logits`, `language`: as on the endpoint of the task;
   * options without effect, which it would ignore, are rejected.
   */
  readonly options: BatchOptions;
  readonly status:
    | 'validating'
    | 'in_progress'
    | 'finalizing'
    | 'completed'
    | 'failed'
    | 'cancelling'
    | 'cancelled';
  readonly request_counts: BatchRequestCounts;
  /** Share of the items that is done; of those in progress, what is done of them. */
  readonly progress: number;
  readonly audio_seconds: BatchAudioSeconds;
  readonly estimated_completion_at: number | null;
  /** Unix seconds. */
  readonly created_at: number;
  readonly in_progress_at: number | null;
  readonly finalizing_at: number | null;
  readonly completed_at: number | null;
  readonly failed_at: number | null;
  readonly cancelling_at: number | null;
  readonly cancelled_at: number | null;
  /** Null until it has ended. */
  readonly expires_at: number | null;
  readonly webhook: BatchWebhook | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface BatchList {
  readonly object: 'list';
  readonly data: readonly Batch[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

export interface Deleted {
  readonly id: string;
  readonly object: string;
  readonly deleted: true;
}

export interface ItemList {
  readonly object: 'list';
  readonly data: readonly BatchItem[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

export interface BatchItemProgress {
  readonly stage: 'fetching' | 'opening' | 'diarizing' | 'analyzing' | 'finishing';
  /** Of the whole, estimated. */
  readonly share: number;
}

export interface BatchItemError {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
}

export interface BatchItem {
  readonly id: string;
  readonly object: 'batch.item';
  readonly index: number;
  readonly custom_id: string;
  readonly file_id: string;
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Of a long recording that is being analysed; else null. */
  readonly progress: BatchItemProgress | null;
  /** As they were charged; null until completed. */
  readonly audio_seconds: number | null;
  readonly error: BatchItemError | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface CallMetricsSpeakersEmotions {
  readonly label: string;
  readonly share: number;
}

export interface CallMetricsSpeakers {
  readonly speaker: string;
  readonly talk_seconds: number;
  readonly talk_share: number;
  readonly turns: number;
  readonly longest_monologue_seconds: number;
  readonly words_per_minute: number | null;
  readonly interruptions: number;
  readonly loudness_dbfs: number | null;
  readonly emotions: readonly CallMetricsSpeakersEmotions[];
}

export interface CallMetricsEmotionOverTime {
  readonly start: number;
  readonly end: number;
  readonly speaker: string;
  readonly label: string;
  readonly score: number;
}

export interface CallMetrics {
  readonly duration_seconds: number;
  readonly talk_seconds: number;
  readonly silence_seconds: number;
  readonly overlap_seconds: number;
  readonly words: number;
  /** Words with a confidence below 0.5. */
  readonly low_confidence_words: number;
  readonly speakers: readonly CallMetricsSpeakers[];
  readonly emotion_over_time: readonly CallMetricsEmotionOverTime[];
}

export interface BatchResultError {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
}

export interface BatchResult {
  readonly custom_id: string;
  readonly index: number;
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly result: SpeechResult | null;
  /** With `channels` separate; silent and missing ones too. */
  readonly channels: readonly Channel[] | null;
  readonly metrics: CallMetrics | null;
  readonly error: BatchResultError | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface Channel {
  readonly channel: number;
  readonly role: string | null;
  /** Whose segments are those of the channel. */
  readonly speaker: string;
  readonly state: 'speech' | 'silent' | 'missing';
  readonly speech_seconds: number;
}

export interface FileSource {
  /** Without its query. */
  readonly url: string;
}

export interface File {
  readonly id: string;
  readonly object: 'file';
  readonly purpose: 'batch';
  /** `pending` until it has been uploaded or fetched. */
  readonly status: 'pending' | 'processed';
  readonly filename: string;
  readonly bytes: number | null;
  /** Null for an upload. */
  readonly source: FileSource | null;
  /** Hexadecimal; null until bytes that went straight to storage are read. */
  readonly sha256: string | null;
  /** Unix seconds. */
  readonly created_at: number;
  /** Unix seconds. */
  readonly expires_at: number;
}

export interface FileList {
  readonly object: 'list';
  readonly data: readonly File[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

export interface PresignedFileSource {
  /** Without its query. */
  readonly url: string;
}

export interface PresignedFileUpload {
  readonly method: 'PUT';
  readonly url: string;
  /** To be sent as they are. */
  readonly headers: Readonly<Record<string, string>>;
  /** Unix seconds. */
  readonly expires_at: number;
}

export interface PresignedFile {
  readonly id: string;
  readonly object: 'file';
  readonly purpose: 'batch';
  /** `pending` until it has been uploaded or fetched. */
  readonly status: 'pending' | 'processed';
  readonly filename: string;
  readonly bytes: number | null;
  /** Null for an upload. */
  readonly source: PresignedFileSource | null;
  /** Hexadecimal; null until bytes that went straight to storage are read. */
  readonly sha256: string | null;
  /** Unix seconds. */
  readonly created_at: number;
  /** Unix seconds. */
  readonly expires_at: number;
  readonly upload: PresignedFileUpload;
}

export interface WebhookSecret {
  readonly object: 'webhook.secret';
  readonly secret: string;
}

export interface WebhookTest {
  readonly object: 'webhook.test';
  readonly delivered: boolean;
  /** The receiver's; null when it was not reached. */
  readonly status: number | null;
  readonly error: string | null;
}

export interface PreparedSession {
  readonly object: 'speech.session';
  readonly model: 'svc-spectra-2';
  /** Private; sent back as `X-Svc-Session` with the same API key. */
  readonly token: string;
  /** Unix milliseconds. */
  readonly expires_at_ms: number;
  readonly request_ids: readonly string[];
  readonly capacity_seconds: number;
}

export interface StreamSession {
  readonly object: 'speech.stream_session';
  readonly model: 'svc-spectra-2';
  readonly task: 'transcription' | 'analysis';
  readonly request_id: string;
  readonly url: string;
  readonly protocol: 'svc.spectra2.v1';
  readonly ticket: string;
  /** Unix milliseconds. */
  readonly expires_at_ms: number;
  readonly max_audio_seconds: number;
}

export interface ClientToken {
  readonly token: string;
  readonly url: string;
  readonly expires_in: 60;
  readonly single_use: true;
  readonly protocol: 'svceet.pcm.v1';
}

export interface ModelListDataLabels {
  readonly emotions: readonly string[];
  readonly styles: readonly string[];
}

export interface ModelListDataBundle {
  readonly name: string;
  readonly revision: string;
  readonly license: string;
}

export interface ModelListData {
  readonly id: string;
  readonly object: 'model';
  readonly lifecycle: 'stable' | 'preview';
  readonly tasks: readonly string[];
  readonly languages: readonly string[];
  readonly labels?: ModelListDataLabels;
  readonly limits: Readonly<Record<string, number>>;
  readonly available: boolean;
  readonly bundle: ModelListDataBundle | null;
}

export interface ModelList {
  readonly object: 'list';
  readonly data: readonly ModelListData[];
}

export interface PricingModels {
  readonly id: string;
  readonly rates_per_minute_usd: Readonly<Record<string, string>>;
  readonly minimum_billable_seconds: number;
}

export interface Pricing {
  readonly object: 'pricing';
  readonly pricing_version: string;
  readonly currency: 'USD';
  readonly models: readonly PricingModels[];
}

export interface ModelAccess {
  readonly model: 'svc-resonance-2';
  readonly status: 'not_requested' | 'pending' | 'approved' | 'denied' | 'revoked';
  readonly approved: boolean;
  readonly request_access_url?: string;
}

export interface EntitlementCustomer {
  readonly key_id: string;
  readonly organization_id: string;
  readonly plan: string;
}

export interface Entitlement {
  readonly object: 'model.access';
  readonly model: 'svczero';
  readonly customer: EntitlementCustomer;
  readonly entitlement: 'included_with_paid_plan';
  readonly billed: false;
  readonly consumes_credits: false;
  readonly consumes_plan_minutes: false;
}

export type ExportFormat = 'srt' | 'vtt' | 'txt' | 'rttm' | 'csv' | 'html' | 'metrics';
