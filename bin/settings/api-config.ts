// Settings of the API.
import { z } from 'zod';
import { defaultConnectionLimits } from '../../api/http/connections.ts';
import { connectionsPerApi, connectionsSetting } from './database-config.ts';
import {
  count,
  decimal,
  hostAndPort,
  listenHost,
  portNumber,
  readConfig,
  setting,
  wholeNumber,
  type Environment,
  type SettingsOf,
} from './read-config.ts';
import { networks, serviceSettings } from './service-config.ts';

const publicUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment');

export const apiSettings = {
  shape: {
    ...serviceSettings.shape,
    SVC_DATABASE_CONNECTIONS: connectionsSetting(connectionsPerApi),
    SVC_HOST: setting(listenHost.default('127.0.0.1'), {
      description: 'address that the API listens on',
    }),
    SVC_PORT: setting(portNumber({ min: 0 }).default(8080), {
      description: 'port of the API; 0: any that is free',
    }),
    SVC_TRUSTED_PROXIES: setting(networks.default(''), {
      description:
        'networks of proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are trusted, as CIDR ' +
        'blocks',
    }),
    SVC_PUBLIC_URL: setting(publicUrl.optional(), {
      description:
        'base URL of the service in the URLs of streams; default: the URL of the request',
    }),
    SVC_STREAM_ADDRESS: setting(hostAndPort.default('127.0.0.1:8081'), {
      description: 'address of the stream worker, `host:port`',
    }),
    SVC_MAX_CONNECTIONS: setting(count.default(defaultConnectionLimits.max), {
      description: 'concurrent connections of an API process',
    }),
    SVC_MAX_CONNECTIONS_PER_ADDRESS: setting(count.default(defaultConnectionLimits.maxPerAddress), {
      description: 'concurrent connections of one client address; trusted proxies are exempt',
    }),
    // A timer cannot wait for a month, and would not wait at all.
    SVC_ANSWER_DEADLINE_SECONDS: setting(wholeNumber({ min: 1, max: 86_400 }).default(300), {
      description: 'time limit of a synchronous answer, in whole seconds; a day at most',
    }),
    SVC_DRAIN_SECONDS: setting(decimal({ min: 0, max: 300 }).default(0), {
      description:
        'how long an API that is asked to stop still answers while its `/readyz` is 503, so that ' +
        'proxies leave it out, in seconds',
    }),
    SVC_SPECTRA_UPLOADS: setting(count.default(64), {
      description: 'concurrent Spectra-2 uploads',
    }),
    SVC_SPECTRA_RUNS: setting(count.default(64), { description: 'concurrent Spectra-2 runs' }),
    SVC_PREPARED_SESSIONS: setting(z.stringbool().default(true), {
      description: 'whether sessions may be prepared',
    }),
    SVC_DIRECT_STREAMING: setting(z.stringbool().default(true), {
      description: 'whether browsers may stream with tickets',
    }),
    SVC_SESSION_SETUPS: setting(count.default(32), { description: 'concurrent session set-ups' }),
  },
  rules: serviceSettings.rules,
};

export type ApiConfig = SettingsOf<typeof apiSettings>;

/** @throws InvalidSettings */
export function readApiConfig(environment: Environment): ApiConfig {
  return readConfig(apiSettings, environment);
}
