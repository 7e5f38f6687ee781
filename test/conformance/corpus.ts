// Answers that many cases read, requested when the first case needs them.
import { randomUUID } from 'node:crypto';
import { dialogue, flat, longer, quiet, spoken } from './recordings.ts';
import { ok, type Answer, type FileRequest, type Service } from './service.ts';

const audio = '/v1/audio/';
type Make = (service: Service) => Promise<Answer>;

const file =
  (
    path: string,
    recording: () => Promise<Buffer> | Buffer,
    fields: FileRequest['fields'] = [],
  ): Make =>
  async (service) =>
    service.post(audio + path, { file: await recording(), fields });

const logits = ['include_logits', 'true'] as const;
const diarize = ['diarize', 'true'] as const;
const fourier = ['model', 'svc-fourier'] as const;
const lite = ['model', 'svc-svceet'] as const;
const spectra = ['model', 'svc-spectra-2'] as const;
const verbose = ['response_format', 'verbose_json'] as const;

export const answers = {
  transcription: file('transcriptions', spoken),
  transcriptionDiarized: file('transcriptions', dialogue, [diarize]),
  transcriptionSilence: file('transcriptions', () => quiet(2)),
  fourierTranscription: file('transcriptions', spoken, [fourier]),
  emotion: file('emotions', spoken),
  emotionLogits: file('emotions', spoken, [logits]),
  style: file('styles', spoken),
  styleLogits: file('styles', spoken, [logits]),
  affect: file('affect', spoken),
  affectLogits: file('affect', spoken, [logits]),
  affectSilence: file('affect', () => quiet(2), [logits]),
  affectDiarized: file('affect', dialogue, [diarize, logits]),
  analysis: file('analysis', spoken),
  analysisLogits: file('analysis', spoken, [logits]),
  analysisDiarized: file('analysis', dialogue, [diarize, logits]),
  analysisTwo: file('analysis', dialogue, [diarize, ['num_speakers', '2']]),
  fourierAnalysis: file('analysis', spoken, [fourier, logits]),
  lite: file('transcriptions', spoken, [lite]),
  liteVerbose: file('transcriptions', spoken, [lite, verbose]),
  liteText: file('transcriptions', spoken, [lite, ['response_format', 'text']]),
  liteTasks: file('transcriptions', dialogue, [
    lite,
    verbose,
    diarize,
    ['emotion_detection', 'true'],
  ]),
  spectra: file('transcriptions', spoken, [spectra]),
  spectraAnalysis: file('analysis', spoken, [spectra]),
  proficiency: file('proficiency', longer),
  proficiencyRead: file('proficiency', longer, [
    [
      'transcript',
      'Thank you so much for calling, I am really happy to help you today. '.repeat(3).trim(),
    ],
  ]),
  proficiencySilence: file('proficiency', () => quiet(6)),
  resonance2: file('resonance-2', spoken),
  resonance2Precision: file('resonance-2?regime=precision', spoken, [['model', 'resonance-2']]),
  resonance2Silence: file('resonance-2', () => flat(7, 2)),
  synthetic: file('synthetic-speech', longer),
  models: (service) => service.get('/v1/models'),
  pricing: (service) => service.get('/v1/pricing', { key: null }),
  access: (service) => service.get('/v1/models/svc-resonance-2/access'),
  entitlement: (service) => service.get('/v1/models/svczero/access'),
  clientToken: (service) => service.json('/v1/client-token', {}),
  session: (service) => prepare(service),
  streamSession: async (service) => streamSession(service, ok(await prepare(service)), 31),
  missingFile: (service) => service.post(`${audio}transcriptions`, { fields: [] }),
  unauthorized: (service) => service.get('/v1/models', { key: null }),
} as const satisfies Readonly<Record<string, Make>>;

export type AnswerName = keyof typeof answers;

const created = new WeakMap<Service, Map<AnswerName, Promise<Answer>>>();

/** The answer of that name, whatever its status. */
export function answer(service: Service, name: AnswerName): Promise<Answer> {
  const known = created.get(service) ?? new Map<AnswerName, Promise<Answer>>();
  created.set(service, known);
  const found = known.get(name) ?? answers[name](service);
  known.set(name, found);
  return found;
}

/** Bodies of answers that must be 200. */
export async function bodies(
  service: Service,
  ...names: readonly AnswerName[]
): Promise<readonly any[]> {
  return Promise.all(names.map(async (name) => ok(await answer(service, name))));
}

export const body = async (service: Service, name: AnswerName): Promise<any> =>
  ok(await answer(service, name));

/** A new prepared session. */
export function prepare(
  service: Service,
  id: string = randomUUID(),
  key: string = service.key,
): Promise<Answer> {
  const headers = { Authorization: `Bearer ${key}` };
  return service.json('/v1/audio/sessions', { model: 'svc-spectra-2', id }, headers);
}

/** A stream session on a slot of a session. */
export function streamSession(
  service: Service,
  session: any,
  slot = 0,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const headers = {
    'X-Svc-Session': session.token,
    'X-Request-ID': session.request_ids[slot],
    ...more,
  };
  return service.json(
    '/v1/audio/stream-sessions',
    { model: 'svc-spectra-2', task: 'transcription' },
    headers,
  );
}

export const speechResults = [
  'transcription',
  'transcriptionDiarized',
  'transcriptionSilence',
  'fourierTranscription',
  'emotion',
  'emotionLogits',
  'style',
  'styleLogits',
  'affect',
  'affectLogits',
  'affectSilence',
  'affectDiarized',
  'analysis',
  'analysisLogits',
  'analysisDiarized',
  'analysisTwo',
  'fourierAnalysis',
  'proficiency',
  'proficiencyRead',
  'proficiencySilence',
] as const satisfies readonly AnswerName[];
