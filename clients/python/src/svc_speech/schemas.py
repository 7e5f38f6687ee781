"""Generated from the OpenAPI document by clients/generator/run.ts; do not edit."""

from typing import Literal, NotRequired, TypedDict


class TranscriptionRequest(TypedDict):
    model: NotRequired[Literal["svc-resonance", "svc-fourier", "svc-svceet", "svc-spectra-2"]]
    language: NotRequired[Literal["auto", "en", "bg", "hr", "cs", "da", "nl", "et", "fi", "fr", "de", "el", "hu", "it", "lv", "lt", "mt", "pl", "pt", "ro", "ru", "sk", "sl", "es", "sv", "uk", "en-US", "en-GB"]]
    response_format: NotRequired[Literal["json", "verbose_json", "text"]]
    diarize: NotRequired[bool]
    num_speakers: NotRequired[int]
    emotion_detection: NotRequired[bool]
    format_numbers: NotRequired[bool]
    vocabulary: NotRequired[str]
    redact: NotRequired[str]
    redact_names: NotRequired[str]


class EmotionRequest(TypedDict):
    model: NotRequired[Literal["svc-resonance", "svc-fourier"]]
    diarize: NotRequired[bool]
    num_speakers: NotRequired[int]
    language: NotRequired[Literal["auto", "en", "bg", "hr", "cs", "da", "nl", "et", "fi", "fr", "de", "el", "hu", "it", "lv", "lt", "mt", "pl", "pt", "ro", "ru", "sk", "sl", "es", "sv", "uk"]]
    include_logits: NotRequired[bool]


class StyleRequest(TypedDict):
    model: NotRequired[Literal["svc-resonance", "svc-fourier"]]
    diarize: NotRequired[bool]
    num_speakers: NotRequired[int]
    language: NotRequired[Literal["auto", "en", "bg", "hr", "cs", "da", "nl", "et", "fi", "fr", "de", "el", "hu", "it", "lv", "lt", "mt", "pl", "pt", "ro", "ru", "sk", "sl", "es", "sv", "uk"]]
    include_logits: NotRequired[bool]


class AffectRequest(TypedDict):
    model: NotRequired[Literal["svc-resonance", "svc-fourier"]]
    diarize: NotRequired[bool]
    num_speakers: NotRequired[int]
    language: NotRequired[Literal["auto", "en", "bg", "hr", "cs", "da", "nl", "et", "fi", "fr", "de", "el", "hu", "it", "lv", "lt", "mt", "pl", "pt", "ro", "ru", "sk", "sl", "es", "sv", "uk"]]
    include_logits: NotRequired[bool]


class AnalysisRequest(TypedDict):
    model: NotRequired[Literal["svc-resonance", "svc-fourier", "svc-spectra-2"]]
    diarize: NotRequired[bool]
    num_speakers: NotRequired[int]
    language: NotRequired[Literal["auto", "en", "bg", "hr", "cs", "da", "nl", "et", "fi", "fr", "de", "el", "hu", "it", "lv", "lt", "mt", "pl", "pt", "ro", "ru", "sk", "sl", "es", "sv", "uk"]]
    include_logits: NotRequired[bool]
    format_numbers: NotRequired[bool]
    vocabulary: NotRequired[str]
    redact: NotRequired[str]
    redact_names: NotRequired[str]


class ProficiencyRequest(TypedDict):
    model: NotRequired[Literal["svc-proficiency-1"]]
    transcript: NotRequired[str]


class Resonance2Request(TypedDict):
    model: NotRequired[Literal["svc-resonance-2", "resonance-2"]]


class SyntheticSpeechRequest(TypedDict):
    model: NotRequired[Literal["svczero"]]


class BatchRequestOptions(TypedDict):
    diarize: NotRequired[bool]
    num_speakers: NotRequired[int | None]
    include_logits: NotRequired[bool]
    language: NotRequired[Literal["auto", "en", "bg", "hr", "cs", "da", "nl", "et", "fi", "fr", "de", "el", "hu", "it", "lv", "lt", "mt", "pl", "pt", "ro", "ru", "sk", "sl", "es", "sv", "uk"]]
    format_numbers: NotRequired[bool]
    redact: NotRequired[list[Literal["card", "account", "phone", "email"]]]
    redact_names: NotRequired[list[str]]
    vocabulary: NotRequired[list[str]]
    channels: NotRequired[Literal["mix", "separate"]]
    channel_roles: NotRequired[list[str]]


class BatchFileItem(TypedDict):
    custom_id: str
    file_id: str
    metadata: NotRequired[dict[str, str]]


class RecordingSource(TypedDict):
    url: str


class BatchSourceItem(TypedDict):
    custom_id: str
    source: RecordingSource
    metadata: NotRequired[dict[str, str]]


class BatchRequestWebhook(TypedDict):
    url: str


class BatchRequestOutputExpiresAfter(TypedDict):
    anchor: Literal["created_at"]
    seconds: int


class BatchRequest(TypedDict):
    task: Literal["transcription", "emotion", "style", "affect", "analysis"]
    model: NotRequired[Literal["svc-resonance", "svc-fourier"]]
    options: NotRequired[BatchRequestOptions]
    items: list[BatchFileItem | BatchSourceItem]
    metadata: NotRequired[dict[str, str]]
    webhook: NotRequired[BatchRequestWebhook]
    output_expires_after: NotRequired[BatchRequestOutputExpiresAfter]


FileRequest = TypedDict(
    "FileRequest",
    {
        "purpose": NotRequired[Literal["batch"]],
        "expires_after[anchor]": NotRequired[Literal["created_at"]],
        "expires_after[seconds]": NotRequired[int],
    },
)


class SourcedFileRequestExpiresAfter(TypedDict):
    anchor: Literal["created_at"]
    seconds: int


class SourcedFileRequest(TypedDict):
    source: RecordingSource
    filename: NotRequired[str]
    expires_after: NotRequired[SourcedFileRequestExpiresAfter]


class PresignRequestExpiresAfter(TypedDict):
    anchor: Literal["created_at"]
    seconds: int


class PresignRequest(TypedDict):
    filename: str
    bytes: int
    expires_after: NotRequired[PresignRequestExpiresAfter]


class WebhookTestRequest(TypedDict):
    url: str


class SpeechResultUsage(TypedDict):
    audio_seconds: float
    billable_seconds: int
    rate_per_minute_usd: str
    estimated_cost_usd: str
    pricing_version: str
    billing_unit: Literal["audio_second", "request"]
    rate_per_request_usd: str | None


class Score(TypedDict):
    label: str
    score: float


class Word(TypedDict):
    word: str
    start: float
    end: float
    confidence: float | None


class Segment(TypedDict):
    id: int
    start: float
    end: float
    text: str | None
    tagged_text: str | None
    words: list[Word]
    emotions: list[Score]
    styles: list[Score]
    speaker: str | None
    scores: NotRequired[dict[str, float]]
    raw_logits: NotRequired[dict[str, float]]


class Redaction(TypedDict):
    kind: Literal["card", "account", "phone", "email", "name"]
    start: float
    end: float
    speaker: str | None


class SpeechResult(TypedDict):
    id: str
    object: Literal["speech.result"]
    task: Literal["transcription", "emotion", "style", "affect", "analysis", "proficiency"]
    model: str
    text: str | None
    tagged_text: str | None
    language: str | None
    duration: float
    emotions: list[Score]
    styles: list[Score]
    segments: list[Segment]
    diarized: bool
    speakers: list[str]
    usage: SpeechResultUsage
    redactions: NotRequired[list[Redaction]]


class LiteResultEmotionDetectionSegments(TypedDict):
    start: float
    end: float
    emotions: list[Score]
    scores: dict[str, float]


class LiteResultEmotionDetection(TypedDict):
    emotions: list[Score]
    scores: dict[str, float]
    thresholds: dict[str, float]
    segments: list[LiteResultEmotionDetectionSegments]


class LiteResultSegments(TypedDict):
    id: int
    start: float
    end: float
    speaker: str
    text: str


class LiteResultUsage(TypedDict):
    audio_seconds: float
    billable_seconds: int
    billing_basis: Literal["subscription", "prepaid"]
    cost_microusd: int
    estimated_cost_usd: str
    rate_per_minute_usd: str
    pricing_version: str
    tasks: list[str]


class LiteResult(TypedDict):
    id: str
    object: Literal["audio.transcription"]
    model: Literal["svc-svceet"]
    text: str
    duration: float
    audio_seconds: float
    language: Literal["en"]
    asr_ms: NotRequired[float]
    server_ms: NotRequired[float]
    emotions: list[Score]
    styles: list[Score]
    emotion_detection: NotRequired[LiteResultEmotionDetection]
    diarized: bool
    speakers: list[str]
    segments: NotRequired[list[LiteResultSegments]]
    usage: LiteResultUsage
    request_id: str


class Spectra2ResultUsage(TypedDict):
    audio_seconds: float
    billable_seconds: int
    rate_per_minute_usd: str
    estimated_cost_usd: str
    pricing_version: str
    billing_unit: Literal["audio_second", "request"]


class Spectra2Result(TypedDict):
    id: str
    object: Literal["speech.result"]
    model: Literal["svc-spectra-2"]
    task: Literal["transcription", "analysis"]
    text: str
    duration: float
    emotions: list[Score]
    styles: list[Score]
    usage: Spectra2ResultUsage


class ErrorEnvelopeError(TypedDict):
    type: str
    code: str
    message: str
    param: str | None
    request_id: str | None


class ErrorEnvelope(TypedDict):
    error: ErrorEnvelopeError


class ProficiencyResultUsage(TypedDict):
    audio_seconds: float
    billable_seconds: int
    rate_per_minute_usd: str
    estimated_cost_usd: str
    pricing_version: str
    billing_unit: Literal["audio_second", "request"]
    rate_per_request_usd: str | None


class ProficiencyResultCheck(TypedDict):
    status: Literal["scored", "low_confidence", "insufficient_audio"]
    billable: bool
    reason: str | None


class ProficiencyResultProficiencyContinuousCheck(TypedDict):
    status: Literal["scored", "insufficient_audio", "unavailable"]
    reason: str | None


class ProficiencyResultProficiencyContinuousMetadata(TypedDict):
    speech_seconds: float
    word_count: int
    transcript_used: bool


class ProficiencyResultProficiencyComponents(TypedDict):
    accuracy: float
    fluency: float
    prosody: float


class ProficiencyResultProficiencyWords(TypedDict):
    text: str
    start_s: float | None
    end_s: float | None
    score: float | None
    status: Literal["scored", "unscorable"]
    scope: str | None
    accentedness: None


class ProficiencyResultProficiencyLegacyCheck(TypedDict):
    status: Literal["scored", "low_confidence", "insufficient_audio"]
    billable: bool
    reason: str | None


class ProficiencyResultProficiency(TypedDict):
    continuous_check: ProficiencyResultProficiencyContinuousCheck
    continuous_metadata: ProficiencyResultProficiencyContinuousMetadata
    score: float | None
    model_version: Literal["continuous-pilot-v2"]
    word_score_version: Literal["v2"]
    scope: str
    score_direction: Literal["0_low_proficiency__1_high_proficiency"]
    status: Literal["scored", "partial_word_scores", "unscorable"]
    components: ProficiencyResultProficiencyComponents | None
    words: list[ProficiencyResultProficiencyWords]
    speech_seconds: float
    word_count: int
    scored_word_count: int
    transcript_used: bool
    reason: str | None
    word_calibration: str
    recording_calibration: str
    alignment_method: str
    aggregation: str | None
    window_count: int | None
    encoder_sha256: str | None
    alignment_checkpoint_sha256: str | None
    phone_lexicon_sha256: str | None
    word_checkpoint_sha256: list[str]
    accentedness: None
    legacy_model_version: Literal["fluency_cefr-v2-final"]
    legacy_check: ProficiencyResultProficiencyLegacyCheck | None
    cefr: Literal["A1", "A2", "B1", "B2", "C1", "C2"]
    cefr_score: float
    cefr_probs: dict[str, float]
    confidence: float
    fluency: Literal["low", "intermediate", "high"]
    fluency_probs: dict[str, float]
    fluency_score: float
    features: dict[str, float]


class ProficiencyResult(TypedDict):
    id: str
    object: Literal["speech.result"]
    task: Literal["transcription", "emotion", "style", "affect", "analysis", "proficiency"]
    model: str
    text: str | None
    tagged_text: str | None
    language: str | None
    duration: float
    emotions: list[Score]
    styles: list[Score]
    segments: list[Segment]
    diarized: bool
    speakers: list[str]
    usage: ProficiencyResultUsage
    redactions: NotRequired[list[Redaction]]
    check: ProficiencyResultCheck
    proficiency: ProficiencyResultProficiency


class Resonance2ResultUsage(TypedDict):
    audio_seconds: float
    billable_seconds: int
    rate_per_minute_usd: str
    estimated_cost_usd: str
    pricing_version: str
    billing_unit: Literal["audio_second", "request"]
    rate_per_request_usd: str | None
    rate_per_hour_usd: str | None


class Resonance2Result(TypedDict):
    model: Literal["svc-resonance-2"]
    model_revision: str
    calibration_revision: str
    duration: float
    window_count: int
    aggregation: Literal["mean_window_logits"]
    scores: dict[str, float]
    axes: dict[str, float]
    unipolar: dict[str, float]
    labels: list[Score]
    regime: Literal["f1", "precision"]
    calibrated: Literal[True]
    abstained: bool
    abstention_reason: Literal["digital_silence"] | None
    inference_ms: float
    id: str
    object: Literal["speech.affect.result"]
    task: Literal["affect"]
    usage: Resonance2ResultUsage


class Resonance2ErrorDetail(TypedDict):
    loc: list[str | int]
    msg: str
    type: str


class Resonance2Error(TypedDict):
    detail: list[Resonance2ErrorDetail]


class SyntheticSpeechResultSegments(TypedDict):
    start: float
    end: float
    synthetic_score: float
    prediction: Literal["human", "synthetic"]


class SyntheticSpeechResultUsage(TypedDict):
    audio_seconds: float
    billable_seconds: int
    rate_per_minute_usd: str
    estimated_cost_usd: str
    pricing_version: str
    billing_unit: Literal["audio_second", "request"]
    rate_per_request_usd: str | None


class SyntheticSpeechResult(TypedDict):
    object: Literal["synthetic_speech.result"]
    model: Literal["svczero"]
    model_revision: Literal["2026-10-05-adapt-216"]
    duration: float
    prediction: Literal["human", "synthetic"]
    synthetic_score: float
    threshold: Literal[0.5]
    score_type: Literal["uncalibrated_sigmoid"]
    aggregation: Literal["coverage_weighted_mean_logit"]
    segments: list[SyntheticSpeechResultSegments]
    warnings: list[str]
    id: str
    usage: SyntheticSpeechResultUsage


class BatchOptions(TypedDict):
    diarize: bool
    num_speakers: int | None
    include_logits: bool
    language: Literal["auto", "en", "bg", "hr", "cs", "da", "nl", "et", "fi", "fr", "de", "el", "hu", "it", "lv", "lt", "mt", "pl", "pt", "ro", "ru", "sk", "sl", "es", "sv", "uk"]
    format_numbers: bool
    redact: list[Literal["card", "account", "phone", "email"]]
    redact_names: list[str]
    vocabulary: list[str]
    channels: Literal["mix", "separate"]
    channel_roles: list[str]


class BatchRequestCounts(TypedDict):
    total: int
    completed: int
    failed: int
    cancelled: int


class BatchAudioSeconds(TypedDict):
    done: int
    left: int | None


class BatchWebhook(TypedDict):
    url: str


class Batch(TypedDict):
    id: str
    object: Literal["batch"]
    task: Literal["transcription", "emotion", "style", "affect", "analysis"]
    model: Literal["svc-resonance", "svc-fourier"]
    options: BatchOptions
    status: Literal["validating", "in_progress", "finalizing", "completed", "failed", "cancelling", "cancelled"]
    request_counts: BatchRequestCounts
    progress: float
    audio_seconds: BatchAudioSeconds
    estimated_completion_at: int | None
    created_at: int
    in_progress_at: int | None
    finalizing_at: int | None
    completed_at: int | None
    failed_at: int | None
    cancelling_at: int | None
    cancelled_at: int | None
    expires_at: int | None
    webhook: BatchWebhook | None
    metadata: dict[str, str]


class BatchList(TypedDict):
    object: Literal["list"]
    data: list[Batch]
    first_id: str | None
    last_id: str | None
    has_more: bool


class Deleted(TypedDict):
    id: str
    object: str
    deleted: Literal[True]


class BatchItemProgress(TypedDict):
    stage: Literal["fetching", "opening", "diarizing", "analyzing", "finishing"]
    share: float


class BatchItemError(TypedDict):
    code: str
    message: str
    param: str | None


class BatchItem(TypedDict):
    id: str
    object: Literal["batch.item"]
    index: int
    custom_id: str
    file_id: str
    status: Literal["queued", "running", "completed", "failed", "cancelled"]
    progress: BatchItemProgress | None
    audio_seconds: int | None
    error: BatchItemError | None
    metadata: dict[str, str]


class ItemList(TypedDict):
    object: Literal["list"]
    data: list[BatchItem]
    first_id: str | None
    last_id: str | None
    has_more: bool


class CallMetricsSpeakersEmotions(TypedDict):
    label: str
    share: float


class CallMetricsSpeakers(TypedDict):
    speaker: str
    talk_seconds: float
    talk_share: float
    turns: int
    longest_monologue_seconds: float
    words_per_minute: float | None
    interruptions: int
    loudness_dbfs: float | None
    emotions: list[CallMetricsSpeakersEmotions]


class CallMetricsEmotionOverTime(TypedDict):
    start: float
    end: float
    speaker: str
    label: str
    score: float


class CallMetrics(TypedDict):
    duration_seconds: float
    talk_seconds: float
    silence_seconds: float
    overlap_seconds: float
    words: int
    low_confidence_words: int
    speakers: list[CallMetricsSpeakers]
    emotion_over_time: list[CallMetricsEmotionOverTime]


class BatchResultError(TypedDict):
    code: str
    message: str
    param: str | None


class Channel(TypedDict):
    channel: int
    role: str | None
    speaker: str
    state: Literal["speech", "silent", "missing"]
    speech_seconds: float


class BatchResult(TypedDict):
    custom_id: str
    index: int
    status: Literal["completed", "failed", "cancelled"]
    result: SpeechResult | None
    channels: list[Channel] | None
    metrics: CallMetrics | None
    error: BatchResultError | None
    metadata: dict[str, str]


class FileSource(TypedDict):
    url: str


class File(TypedDict):
    id: str
    object: Literal["file"]
    purpose: Literal["batch"]
    status: Literal["pending", "processed"]
    filename: str
    bytes: int | None
    source: FileSource | None
    sha256: str | None
    created_at: int
    expires_at: int


class FileList(TypedDict):
    object: Literal["list"]
    data: list[File]
    first_id: str | None
    last_id: str | None
    has_more: bool


class PresignedFileSource(TypedDict):
    url: str


class PresignedFileUpload(TypedDict):
    method: Literal["PUT"]
    url: str
    headers: dict[str, str]
    expires_at: int


class PresignedFile(TypedDict):
    id: str
    object: Literal["file"]
    purpose: Literal["batch"]
    status: Literal["pending", "processed"]
    filename: str
    bytes: int | None
    source: PresignedFileSource | None
    sha256: str | None
    created_at: int
    expires_at: int
    upload: PresignedFileUpload


class WebhookSecret(TypedDict):
    object: Literal["webhook.secret"]
    secret: str


class WebhookTest(TypedDict):
    object: Literal["webhook.test"]
    delivered: bool
    status: int | None
    error: str | None


class PreparedSession(TypedDict):
    object: Literal["speech.session"]
    model: Literal["svc-spectra-2"]
    token: str
    expires_at_ms: int
    request_ids: list[str]
    capacity_seconds: int


class StreamSession(TypedDict):
    object: Literal["speech.stream_session"]
    model: Literal["svc-spectra-2"]
    task: Literal["transcription", "analysis"]
    request_id: str
    url: str
    protocol: Literal["svc.spectra2.v1"]
    ticket: str
    expires_at_ms: int
    max_audio_seconds: float


class ClientToken(TypedDict):
    token: str
    url: str
    expires_in: Literal[60]
    single_use: Literal[True]
    protocol: Literal["svceet.pcm.v1"]


class ModelListDataLabels(TypedDict):
    emotions: list[str]
    styles: list[str]


class ModelListDataBundle(TypedDict):
    name: str
    revision: str
    license: str


class ModelListData(TypedDict):
    id: str
    object: Literal["model"]
    lifecycle: Literal["stable", "preview"]
    tasks: list[str]
    languages: list[str]
    labels: NotRequired[ModelListDataLabels]
    limits: dict[str, float]
    available: bool
    bundle: ModelListDataBundle | None


class ModelList(TypedDict):
    object: Literal["list"]
    data: list[ModelListData]


class PricingModels(TypedDict):
    id: str
    rates_per_minute_usd: dict[str, str]
    minimum_billable_seconds: int


class Pricing(TypedDict):
    object: Literal["pricing"]
    pricing_version: str
    currency: Literal["USD"]
    models: list[PricingModels]


class ModelAccess(TypedDict):
    model: Literal["svc-resonance-2"]
    status: Literal["not_requested", "pending", "approved", "denied", "revoked"]
    approved: bool
    request_access_url: NotRequired[str]


class EntitlementCustomer(TypedDict):
    key_id: str
    organization_id: str
    plan: str


class Entitlement(TypedDict):
    object: Literal["model.access"]
    model: Literal["svczero"]
    customer: EntitlementCustomer
    entitlement: Literal["included_with_paid_plan"]
    billed: Literal[False]
    consumes_credits: Literal[False]
    consumes_plan_minutes: Literal[False]


ExportFormat = Literal["srt", "vtt", "txt", "rttm", "csv", "html", "metrics"]
