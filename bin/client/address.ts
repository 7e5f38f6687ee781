// The service that the command line calls, and the key it uses.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSpeechClient, type SpeechClient } from '../../clients/typescript/src/client.ts';
import { patientFetch } from './patient-fetch.ts';
import type { Environment } from '../settings/read-config.ts';
import { baseUrl } from '../stack/applications.ts';
import { environmentOf } from '../stack/running-environment.ts';
import { readSettings } from '../settings/stack-settings.ts';

export interface AddressOptions {
  readonly base?: string;
  readonly key?: string;
}

export interface ServiceAddress {
  readonly base: string;
  readonly key: string;
}

/** Options first, then SVC_BASE_URL and SVC_API_KEY, then the stack on this machine. */
export function serviceAddress(options: AddressOptions, env: Environment): ServiceAddress {
  const { dataDirectory } = readSettings(env);
  // A variable that is set and empty is not set.
  const base = options.base ?? (env.SVC_BASE_URL || stackUrl(dataDirectory, env));
  if (!/^https?:/.test(base) || !URL.canParse(base))
    throw new Error(`the address of the service must be an http or https URL, got "${base}"`);
  const demoKey = join(dataDirectory, 'demo-key');
  const local = existsSync(demoKey) ? readFileSync(demoKey, 'utf8').trim() : undefined;
  const key = options.key ?? (env.SVC_API_KEY || local);
  if (!key) throw new Error('no API key: give --key, set SVC_API_KEY, or start the stack here');
  return { base, key };
}

/** Of the stack that runs, also on a port of its own; else where it would be. */
function stackUrl(dataDirectory: string, env: Environment): string {
  const { host, ports } = readSettings(environmentOf(dataDirectory, env));
  return baseUrl({ SVC_HOST: host, SVC_PORT: String(ports.api.port) });
}

/**
 * Somebody waits at a terminal: a service without capacity is asked for far longer than a program
 * would.
 */
const retries = { maxFailures: 4, maxWaits: 200 };

export function connect({ base, key }: ServiceAddress, ask = fetch): SpeechClient {
  return createSpeechClient({ baseUrl: base, apiKey: key, retries, fetch: ask });
}

/** For commands that run for long: a service that is being exchanged is waited for. */
export function connectPatiently(address: ServiceAddress): SpeechClient {
  const { stderr } = process;
  // A terminal may have a line that is in progress.
  const tell = (line: string): void =>
    void stderr.write(stderr.isTTY ? `\r\u001B[K${line}\n` : `${line}\n`);
  return connect(address, patientFetch({ baseUrl: address.base.replace(/\/+$/, ''), tell }));
}
