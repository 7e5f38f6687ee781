// Points between two steps of a request's life at which a process is killed as by a power cut.
import { suddenDeath, type Patch } from '../support/patches.ts';

export interface CrashPoint extends Patch {
  readonly between: string;
  readonly process: 'api' | 'worker';
  /** The recording that gets there: a clip in one activity, or a call in several. */
  readonly recording: 'clip' | 'call';
}

/** The process dies before this statement of the file. */
function before(
  process: CrashPoint['process'],
  recording: CrashPoint['recording'],
  [between, file, from]: readonly [between: string, file: string, statement: string],
): CrashPoint {
  return { between, process, recording, file, from, to: `${suddenDeath} ${from}` };
}

const store = 'api/upload/store-upload.ts';
const admit = 'api/runs/admit.ts';
const runs = 'api/runs/runs.ts';
const temporal = 'api/runs/workflow-runs.ts';
const open = 'activities/open-recording.ts';
const decode = 'activities/decode-recording.ts';
const span = 'activities/analyze-span.ts';
const settle = 'activities/settle-recording.ts';
const finish = 'activities/finish-recording.ts';

export const crashPoints: readonly CrashPoint[] = [
  ...(
    [
      ['object row and object', store, 'const stored = await objects.putStream('],
      ['object and claim', store, 'return { key, container, owner, ...stored };'],
      ['fields and claim', admit, 'const claim = await claimRequest(db, {'],
      [
        'claim and start',
        admit,
        'return { organizationId, requestId, attempt: claim.attempt, uploadKey };',
      ],
      [
        'the call of start and its arrival',
        temporal,
        'return await callWithin(client, startTimeoutMs, () =>',
      ],
      ['start and wait', runs, 'const unneeded = AbortSignal.any('],
      ['completion and result', runs, 'const stored = await fetchResult('],
      [
        'result and answer',
        runs,
        'return { organizationId: ref.organizationId, attempt: ref.attempt, stored };',
      ],
    ] as const
  ).map((place) => before('api', 'clip', place)),
  ...(
    [
      ['activity and download', decode, 'const downloaded = objects.download('],
      ['decoding and reservation', open, 'reserve(db, claimOf(recording),'],
      ['reservation and inference', decode, 'return {\n      request: recording,'],
      ['inference and result', settle, 'await putJson(objects, recordingKeys('],
      ['result and debit', settle, 'await settle(dependencies.db,'],
      ['debit and end of the activity', settle, 'countCompleted(dependencies, stored);'],
    ] as const
  ).map(([between, file, from]) =>
    // Within a list of promises a statement does not fit, but an expression does.
    from.startsWith('reserve(')
      ? {
          ...({ between, file, from, process: 'worker', recording: 'clip' } as const),
          to: `(process.kill(process.pid, 'SIGKILL'), reserve)(db, claimOf(recording),`,
        }
      : before('worker', 'clip', [between, file, from]),
  ),
  ...(
    [
      ['samples and plan', open, "return { kind: 'planned', audio,"],
      ['span and its samples', span, 'const pcm = await readChunk('],
      ['chunk and its object', span, 'await putJson(objects, keys.chunk(chunk.index)'],
      ['chunk and the next one', span, 'finished += 1;'],
      ['spans and the assembly', finish, 'const plan = await withOutline('],
      ['debit and clean-up', finish, 'const analyzed = {'],
      ['clean-up and end', finish, 'return result;'],
    ] as const
  ).map((place) => before('worker', 'call', place)),
];
