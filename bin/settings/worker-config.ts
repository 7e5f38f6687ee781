// Settings of the batch worker and the stream worker.
import { existsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { z } from 'zod';
import { parseAssignments } from '../../models/bundles/assignments.ts';
import type { PoolOptions } from '../../models/inference/pool.ts';
import { defaultModelsDirectory, hasBundle } from '../setup/directories.mjs';
import { connectionsPerWorker, connectionsSetting } from './database-config.ts';
import {
  count,
  factsOf,
  listenHost,
  portNumber,
  readConfig,
  setting,
  type Environment,
  type SettingsOf,
} from './read-config.ts';
import { modelSettings, serviceSettings } from './service-config.ts';

const folder = z
  .string()
  .refine(existsSync, { error: 'must be a folder that exists', abort: true });

const modelsFolder = folder.refine(
  hasBundle,
  'must be a folder with bundles of models, as `npm run svc -- models pull` installs them',
);

const file = z.string().refine(existsSync, 'must be a file that exists');

const inferenceShape = {
  ...serviceSettings.shape,
  // An API reads of the folder only what is there.
  SVC_MODELS_DIR: setting(
    modelsFolder.default(defaultModelsDirectory(process.env)),
    factsOf(modelSettings.shape.SVC_MODELS_DIR),
  ),
  SVC_DATABASE_CONNECTIONS: connectionsSetting(connectionsPerWorker),
  SVC_WORKFLOW_BUNDLE: setting(file.optional(), {
    description: 'file with the bundled workflows of this version; default: bundled at the start',
  }),
  SVC_PACKED_WEIGHTS_DIR: setting(folder.optional(), {
    description:
      'folder of weights packed for this processor, by set-up (`npm start`, ' +
      '`npm run svc -- worker`); default: not packed, as in the image and the units',
  }),
  SVC_INFERENCE_PROCESSES: setting(count.default(availableParallelism()), {
    description: 'inference processes, one core each; default: one per core',
  }),
};

export const workerSettings = {
  shape: {
    ...inferenceShape,
    SVC_WORKER_LANES: setting(z.enum(['all', 'callers', 'bulk']).default('all'), {
      description:
        'work that a worker accepts: `callers` (with streams), `bulk` (with webhooks and fetches ' +
        'of recordings by address), or `all`',
    }),
    SVC_TEMPORARY_DIR: setting(folder.default(tmpdir()), {
      description:
        'folder for temporary recordings, on a disk of this machine; default: that of the system',
    }),
  },
  rules: serviceSettings.rules,
};

export const streamWorkerSettings = {
  shape: {
    ...inferenceShape,
    SVC_STREAM_HOST: setting(listenHost.default('127.0.0.1'), {
      description: 'address that the stream worker listens on',
    }),
    SVC_STREAM_PORT: setting(portNumber({ min: 0 }).default(8081), {
      description: 'port of the stream worker; 0: any that is free',
    }),
    SVC_MAX_STREAMS: setting(count.default(512), { description: 'concurrent streams' }),
    SVC_STREAM_COMMITS: setting(count.default(64), {
      description: 'concurrent commits of streams',
    }),
  },
  rules: serviceSettings.rules,
};

export type WorkerConfig = SettingsOf<typeof workerSettings>;
export type StreamWorkerConfig = SettingsOf<typeof streamWorkerSettings>;

/** Which inference processes a worker of either kind starts. */
export function inferenceOf(config: WorkerConfig | StreamWorkerConfig): PoolOptions {
  return {
    modelsDirectory: config.SVC_MODELS_DIR,
    packedWeights: config.SVC_PACKED_WEIGHTS_DIR,
    englishBundle: config.SVC_ENGLISH_BUNDLE,
    assignments: parseAssignments(config.SVC_ASSIGNMENTS),
    processes: config.SVC_INFERENCE_PROCESSES,
  };
}

/** @throws InvalidSettings */
export function readWorkerConfig(environment: Environment): WorkerConfig {
  return readConfig(workerSettings, environment);
}

/** @throws InvalidSettings */
export function readStreamWorkerConfig(environment: Environment): StreamWorkerConfig {
  return readConfig(streamWorkerSettings, environment);
}
