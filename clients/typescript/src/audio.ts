// The file endpoints: a recording in, a result out.
import { formBody, type FormFields, type Recording } from './recording.ts';
import type {
  AffectRequest,
  AnalysisRequest,
  EmotionRequest,
  LiteResult,
  ProficiencyRequest,
  ProficiencyResult,
  Resonance2Request,
  Resonance2Result,
  Spectra2Result,
  SpeechResult,
  StyleRequest,
  SyntheticSpeechRequest,
  SyntheticSpeechResult,
  TranscriptionRequest,
} from './schemas.ts';
import type { CallOptions, Transport } from './transport.ts';

/** Paths of the tasks that answer a SpeechResult. */
export const taskPaths = {
  transcription: '/v1/audio/transcriptions',
  emotion: '/v1/audio/emotions',
  style: '/v1/audio/styles',
  affect: '/v1/audio/affect',
  analysis: '/v1/audio/analysis',
  proficiency: '/v1/audio/proficiency',
} as const;
export type SpeechTask = keyof typeof taskPaths;

export interface AudioCall extends CallOptions {
  /** Identifies the work: a repetition is charged once. By default a new one for each call. */
  readonly requestId?: string;
}

/**
 * The shape of an answer depends on the model, of `svc-svceet` on the format as well. Where the
 * types do not tell which of several, it is one of these; of any `string`, a SpeechResult.
 */
type ResultOf<Fields> = 'model' extends keyof Fields
  ? ResultOfModel<Fields['model'], Fields>
  : SpeechResult;

type ResultOfModel<Model, Fields> = Model extends 'svc-svceet'
  ? LiteAnswer<Fields>
  : Model extends 'svc-spectra-2'
    ? Spectra2Result
    : SpeechResult;

type LiteAnswer<Fields> = 'response_format' extends keyof Fields
  ? LiteAnswerAs<Fields['response_format']>
  : LiteResult;

type LiteAnswerAs<Format> = Format extends 'text' ? string : LiteResult;

type NoFields = Readonly<Record<never, never>>;

export interface Audio {
  transcription<const Fields extends TranscriptionRequest = NoFields>(
    recording: Recording,
    fields?: Fields,
    call?: AudioCall,
  ): Promise<ResultOf<Fields>>;
  analysis<const Fields extends AnalysisRequest = NoFields>(
    recording: Recording,
    fields?: Fields,
    call?: AudioCall,
  ): Promise<ResultOf<Fields>>;
  emotion(recording: Recording, fields?: EmotionRequest, call?: AudioCall): Promise<SpeechResult>;
  style(recording: Recording, fields?: StyleRequest, call?: AudioCall): Promise<SpeechResult>;
  affect(recording: Recording, fields?: AffectRequest, call?: AudioCall): Promise<SpeechResult>;
  proficiency(
    recording: Recording,
    fields?: ProficiencyRequest,
    call?: AudioCall,
  ): Promise<ProficiencyResult>;
  resonance2(
    recording: Recording,
    fields?: Resonance2Request & { readonly regime?: 'f1' | 'precision' },
    call?: AudioCall,
  ): Promise<Resonance2Result>;
  syntheticSpeech(
    recording: Recording,
    fields?: SyntheticSpeechRequest,
    call?: AudioCall,
  ): Promise<SyntheticSpeechResult>;
  /** Any task with any fields, for programs that pass on what somebody typed. */
  send<const Fields extends FormFields = NoFields>(
    task: SpeechTask,
    recording: Recording,
    fields?: Fields,
    call?: AudioCall,
  ): Promise<ResultOf<Fields>>;
}

export function createAudio(transport: Transport): Audio {
  const post = async <Result>(
    path: string,
    recording: Recording,
    fields: object = {},
    { requestId, signal }: AudioCall = {},
  ): Promise<Result> =>
    // The format of the answer is one of the fields.
    transport.jsonOrText<Result>({
      method: 'POST',
      path,
      body: formBody(recording, fields as FormFields),
      id: { header: 'X-Request-ID', ...(requestId !== undefined && { value: requestId }) },
      ...(signal && { signal }),
    });
  return {
    transcription: (...args) => post(taskPaths.transcription, ...args),
    analysis: (...args) => post(taskPaths.analysis, ...args),
    emotion: (...args) => post(taskPaths.emotion, ...args),
    style: (...args) => post(taskPaths.style, ...args),
    affect: (...args) => post(taskPaths.affect, ...args),
    proficiency: (...args) => post(taskPaths.proficiency, ...args),
    resonance2: (recording, { regime, ...fields } = {}, call) => {
      const query = regime === undefined ? '' : `?regime=${regime}`;
      const model = { model: 'svc-resonance-2', ...fields };
      return post(`/v1/audio/resonance-2${query}`, recording, model, call);
    },
    syntheticSpeech: (...args) => post('/v1/audio/synthetic-speech', ...args),
    send: (task, ...args) => post(taskPaths[task], ...args),
  };
}
