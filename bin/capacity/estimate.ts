// From a load to cores, memory and what the servers have to take: arithmetic over measured figures.
import { clipSeconds } from '../../models/contract/clip.ts';
import {
  connectionsPerApi,
  connectionsPerWorker,
  listeningConnections,
} from '../settings/database-config.ts';
import {
  coreSecondsPerHour,
  coreSecondsPerRecording,
  historyEvents,
  ledgerRowsPerRecording,
  memory,
  pcmBytesPerAudioSecond,
  resultBytesPerAudioSecond,
  type CapacityTask,
} from './measured.ts';

export interface Load {
  readonly task: CapacityTask;
  readonly recordingsPerHour: number;
  /** Mean duration of a recording. */
  readonly seconds: number;
  /** Bytes of an upload per second of audio: 4,000 is 32 kbit/s. */
  readonly uploadBytesPerSecond: number;
  /** Share of the cores that is busy in the hour that the load is of. */
  readonly utilization: number;
}

export interface Estimate {
  readonly cores: number;
  /** Of all workers. */
  readonly memoryMiB: number;
  readonly recordingsPerSecond: number;
  /** Written to and read from object storage, uploads, decoded samples and results together. */
  readonly storageMegabytesPerSecond: number;
  readonly temporalEventsPerSecond: number;
  readonly ledgerRowsPerHour: number;
  /** Connections to PostgreSQL, at the default sizes of pools, of workers of 8 cores and an API. */
  readonly databaseConnections: number;
}

const coresPerWorker = 8;

export function estimate(load: Load): Estimate {
  const { task, recordingsPerHour, seconds, uploadBytesPerSecond, utilization } = load;
  const recordingsPerSecond = recordingsPerHour / 3_600;
  const coreSeconds = coreSecondsPerRecording + (coreSecondsPerHour[task] / 3_600) * seconds;
  const cores = Math.ceil((recordingsPerSecond * coreSeconds) / utilization);
  const workers = Math.ceil(cores / coresPerWorker);
  const isClip = seconds <= clipSeconds;
  const isDiarized = task.startsWith('analysis');
  // Everything is written once and read once; decoded samples are read by diarization as well.
  const bytesPerSecond =
    2 * uploadBytesPerSecond +
    2 * resultBytesPerAudioSecond +
    (isClip ? 0 : (isDiarized ? 3 : 2) * pcmBytesPerAudioSecond);
  const events = historyEvents[isClip ? 'clip' : isDiarized ? 'diarized' : 'recording'];
  return {
    cores,
    memoryMiB: cores * memory.inferenceProcess + workers * memory.worker,
    recordingsPerSecond,
    storageMegabytesPerSecond: (recordingsPerSecond * seconds * bytesPerSecond) / 1e6,
    temporalEventsPerSecond: recordingsPerSecond * events,
    ledgerRowsPerHour: recordingsPerHour * ledgerRowsPerRecording,
    databaseConnections: workers * connectionsPerWorker + connectionsPerApi + listeningConnections,
  };
}
