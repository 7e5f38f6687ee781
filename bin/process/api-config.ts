// The API's environment.
import { z } from 'zod';
import { defaultConnectionLimits } from '../../api/http/connections.ts';
import { connectionsSetting } from './database-config.ts';
import { readConfig, setting, type Environment, type SettingsOf } from './read-config.ts';
import { networks, serviceSettings } from './service-config.ts';

const count = z.coerce.number().int().min(1);
const hostAndPort = /^(\[[0-9a-f:]+\]|[^\s:/]+):\d{1,5}$/i;

export const apiSettings = {
  shape: {
    ...serviceSettings.shape,
    SVC_DATABASE_CONNECTIONS: connectionsSetting(20),
    SVC_HOST: setting(z.string().default('127.0.0.1'), { description: 'where the API listens' }),
    SVC_PORT: setting(z.coerce.number().int().min(0).max(65_535).default(8080), {
      description: 'its port',
    }),
    SVC_TRUSTED_PROXIES: setting(networks.default(''), {
      description:
        'networks of proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are believed, as CIDR ' +
        'blocks',
    }),
    SVC_PUBLIC_URL: setting(z.url({ protocol: /^https?$/ }).optional(), {
      description: 'base address in the addresses of streams; else the one a request came to',
    }),
    SVC_STREAM_ADDRESS: setting(
      z.string().regex(hostAndPort, 'takes host:port').default('127.0.0.1:8081'),
      { description: 'where the API finds the stream worker, `host:port`' },
    ),
    SVC_MAX_CONNECTIONS: setting(count.default(defaultConnectionLimits.max), {
      description: 'connections of an API process',
    }),
    SVC_MAX_CONNECTIONS_PER_ADDRESS: setting(count.default(defaultConnectionLimits.maxPerAddress), {
      description: 'those of one address; trusted proxies have no such limit',
    }),
    SVC_ANSWER_DEADLINE_SECONDS: setting(z.coerce.number().positive().default(300), {
      description: 'how long a synchronous answer may take',
    }),
    SVC_SPECTRA_UPLOADS: setting(count.default(64), { description: 'Spectra-2 uploads at once' }),
    SVC_SPECTRA_RUNS: setting(count.default(64), { description: 'Spectra-2 runs at once' }),
    SVC_PREPARED_SESSIONS: setting(z.stringbool().default(true), {
      description: 'whether sessions may be prepared',
    }),
    SVC_DIRECT_STREAMING: setting(z.stringbool().default(true), {
      description: 'whether browsers may stream with tickets',
    }),
    SVC_SESSION_SETUPS: setting(count.default(32), { description: 'session set-ups at once' }),
  },
  rules: serviceSettings.rules,
};

export type ApiConfig = SettingsOf<typeof apiSettings>;

/** @throws InvalidSettings */
export function readApiConfig(environment: Environment): ApiConfig {
  return readConfig(apiSettings, environment);
}
