// The workers' environment.
import { availableParallelism, tmpdir } from 'node:os';
import { z } from 'zod';
import { readConfig, serviceSchema } from './service-config.ts';

const configSchema = serviceSchema.extend({
  SVC_MODELS_DIR: z.string().min(1),
  SVC_INFERENCE_PROCESSES: z.coerce.number().int().min(1).default(availableParallelism()),
  SVC_TEMPORARY_DIR: z.string().default(tmpdir()),
});

const streamSchema = configSchema.extend({
  SVC_STREAM_HOST: z.string().default('127.0.0.1'),
  SVC_STREAM_PORT: z.coerce.number().int().min(0).max(65_535).default(8081),
  SVC_MAX_STREAMS: z.coerce.number().int().min(1).default(512),
  SVC_STREAM_COMMITS: z.coerce.number().int().min(1).default(64),
});

export type WorkerConfig = z.infer<typeof configSchema>;
export type StreamWorkerConfig = z.infer<typeof streamSchema>;

/** @throws with a line per variable that is missing or wrong */
export function readWorkerConfig(environment: NodeJS.ProcessEnv): WorkerConfig {
  return readConfig(configSchema, environment);
}

/** @throws as readWorkerConfig */
export function readStreamWorkerConfig(environment: NodeJS.ProcessEnv): StreamWorkerConfig {
  return readConfig(streamSchema, environment);
}
