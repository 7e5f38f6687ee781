// The workers' environment.
import { availableParallelism, homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { connectionsSetting } from './database-config.ts';
import { readConfig, setting, type Environment, type SettingsOf } from './read-config.ts';
import { serviceSettings } from './service-config.ts';

const count = z.coerce.number().int().min(1);

/** Where set-up puts models: a folder that all clones of a user share. */
export function usualModelsDirectory(environment: Environment): string {
  const { SVC_CACHE_DIR, XDG_CACHE_HOME } = environment;
  const cache = SVC_CACHE_DIR || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'svc-speech');
  return join(cache, 'models');
}

const inferenceShape = {
  ...serviceSettings.shape,
  SVC_DATABASE_CONNECTIONS: connectionsSetting(10),
  SVC_MODELS_DIR: setting(z.string().default(usualModelsDirectory(process.env)), {
    description: 'folder of the models, `models` in the cache by default',
  }),
  SVC_INFERENCE_PROCESSES: setting(count.default(availableParallelism()), {
    description: 'processes that recognise, one core each; as many as there are cores by default',
  }),
};

export const workerSettings = {
  shape: {
    ...inferenceShape,
    SVC_WORKER_LANES: setting(z.enum(['all', 'callers', 'bulk']).default('all'), {
      description:
        'whose work a worker takes: `callers` (with streams), `bulk` (with webhooks), or `all`',
    }),
    SVC_TEMPORARY_DIR: setting(z.string().default(tmpdir()), {
      description: 'folder for recordings on their way; that of the system by default',
    }),
  },
  rules: serviceSettings.rules,
};

export const streamWorkerSettings = {
  shape: {
    ...inferenceShape,
    SVC_STREAM_HOST: setting(z.string().default('127.0.0.1'), {
      description: 'where the stream worker listens',
    }),
    SVC_STREAM_PORT: setting(z.coerce.number().int().min(0).max(65_535).default(8081), {
      description: 'its port',
    }),
    SVC_MAX_STREAMS: setting(count.default(512), { description: 'streams that are open at once' }),
    SVC_STREAM_COMMITS: setting(count.default(64), {
      description: 'streams that are recognised at once',
    }),
  },
  rules: serviceSettings.rules,
};

export type WorkerConfig = SettingsOf<typeof workerSettings>;
export type StreamWorkerConfig = SettingsOf<typeof streamWorkerSettings>;

/** @throws InvalidSettings */
export function readWorkerConfig(environment: Environment): WorkerConfig {
  return readConfig(workerSettings, environment);
}

/** @throws InvalidSettings */
export function readStreamWorkerConfig(environment: Environment): StreamWorkerConfig {
  return readConfig(streamWorkerSettings, environment);
}
