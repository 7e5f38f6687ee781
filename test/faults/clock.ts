// Clocks that are set by an hour, forward and back, while sessions of half a minute expire: of the
// API, of the worker, of PostgreSQL, and of all three at once.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServices } from '../runner/services.ts';
import type { Cleanup } from '../support/cleanup.ts';
import {
  disturb,
  together,
  type Disturbed,
  type FaultOptions,
  type FaultOutcome,
} from './fault.ts';

const sessionSeconds = 30;
const toleranceSeconds = 1;
const clocks = ['api', 'worker', 'database'] as const;
type Clock = (typeof clocks)[number];

export function clockJumps(options: FaultOptions): Promise<FaultOutcome> {
  return disturb(options, async (t) => {
    const hands = await clockHands(t);
    const database = await underClock(hands.database.environment, () =>
      startServices({ durable: true, only: ['PostgreSQL'] }),
    );
    t.teardown(() => database.stop());
    for (const name of ['TEST_DATABASE_URL', 'TEST_DATABASE_OWNER_URL'] as const) {
      process.env[name] = database.environment[name];
    }
    return {
      stack: {
        apiEnvironment: hands.api.environment,
        workerEnvironment: hands.worker.environment,
      },
      quietMs: 60_000,
      async nemesis(disturbed) {
        const outcomes: FaultOutcome[] = [];
        const jumps: readonly (readonly Clock[])[] = [['api'], ['database'], clocks];
        for (const which of jumps) {
          for (const hours of disturbed.random() < 0.5 ? [1, -1] : [-1, 1]) {
            outcomes.push(await acrossJump(disturbed, { hands, which, hours }));
          }
        }
        return together(outcomes);
      },
    };
  });
}

interface Jump {
  readonly hands: Readonly<Record<Clock, ClockHand>>;
  readonly which: readonly Clock[];
  readonly hours: number;
}

/** A session is prepared, the clocks jump, and its token is tried at the edge of its lifetime. */
async function acrossJump(
  { api, stack, history }: Disturbed,
  { hands, which, hours }: Jump,
): Promise<FaultOutcome> {
  const name = `${which.join(', ')} ${hours > 0 ? '+' : ''}${hours} h`;
  const { key } = stack.account;
  const session = await post(api.base, key, '/v1/audio/sessions', {
    model: 'svc-spectra-2',
    id: randomUUID(),
  });
  if (session.status !== 200) {
    return { figures: [], broken: [`${name}: no session (${JSON.stringify(session.body)})`] };
  }
  const startedAt = performance.now();
  const token = await post(api.base, key, '/v1/client-token', {});
  for (const each of which) hands[each].set(hours * 3_600);
  const at = history.now();
  const broken: string[] = [];
  const tries: string[] = [];
  for (const seconds of [sessionSeconds / 2, sessionSeconds + toleranceSeconds + 0.5]) {
    await sleep(startedAt + seconds * 1_000 - performance.now());
    const answer = await openStream(api.base, key, session.body, tries.length);
    tries.push(`${answer.status} at ${seconds} s`);
    if (seconds > sessionSeconds && answer.status === 200) {
      broken.push(`${name}: a token of ${sessionSeconds} s is taken after ${seconds} s`);
    }
    if (![200, 409, 503].includes(answer.status)) {
      broken.push(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    if (Number(answer.body.max_audio_seconds) < 0) broken.push(`${name}: negative seconds`);
    if (answer.left > 60) broken.push(`${name}: the rate's window ends in ${answer.left} s`);
  }
  if (token.status !== 200) broken.push(`${name}: no client token (${token.status})`);
  const answered = history.operations.filter((each) => each.t0 >= at && each.outcome === 'ok');
  if (answered.length === 0) broken.push(`${name}: no call was answered after it`);
  for (const each of which) hands[each].set(0);
  await sleep(2_000);
  return { figures: [`${name}: token ${tries.join(', ')}; ${answered.length} answered`], broken };
}

interface Posted {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Of the key's rate limit, in seconds. */
  readonly left: number;
}

async function post(
  base: string,
  key: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Posted> {
  const response = await fetch(base + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
  });
  const left = Number(/t=(-?\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1] ?? 0);
  return { status: response.status, body: (await response.json()) as Posted['body'], left };
}

function openStream(
  base: string,
  key: string,
  session: Posted['body'],
  slot: number,
): Promise<Posted> {
  const ids = session.request_ids as readonly string[];
  return post(
    base,
    key,
    '/v1/audio/stream-sessions',
    { model: 'svc-spectra-2', task: 'transcription' },
    { 'X-Svc-Session': String(session.token), 'X-Request-ID': ids[slot]! },
  );
}

interface ClockHand {
  /** The environment that makes a process follow this clock. */
  readonly environment: Readonly<Record<string, string>>;
  set(offsetSeconds: number): void;
}

/** A clock for each process; monotonic clocks stay as they are. */
async function clockHands(t: Cleanup): Promise<Readonly<Record<Clock, ClockHand>>> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-clock-'));
  chmodSync(folder, 0o755);
  t.teardown(() => rmSync(folder, { recursive: true }));
  const library = execFileSync('faketime', ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD'])
    .toString()
    .trim();
  const hand = (name: Clock): ClockHand => {
    const path = join(folder, name);
    const set = (offsetSeconds: number): void => {
      writeFileSync(path, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}`, { mode: 0o644 });
    };
    set(0);
    const environment = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    return { environment, set };
  };
  return { api: hand('api'), worker: hand('worker'), database: hand('database') };
}

/** The servers inherit the environment of this process. */
async function underClock<T>(
  environment: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  Object.assign(process.env, environment);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(environment)) delete process.env[name];
  }
}
