// Runs the cases concurrently and reports the outcome of each.
import type { Need } from './case.ts';
import { entries, type NumberedEntry } from './entries.ts';
import { createService, type Service, type Target } from './service.ts';

export interface Outcome {
  readonly entry: NumberedEntry;
  readonly state: 'passed' | 'failed' | 'not testable';
  /** What was wrong, or why it cannot be tested. */
  readonly reason: string | null;
}

export interface SuiteOptions {
  /** Which entries; default all. */
  readonly select?: (entry: NumberedEntry) => boolean;
  readonly onOutcome?: (outcome: Outcome) => void;
}

/** Waiting for a timer costs nothing, so those cases do not count against the concurrency. */
const sideBySide = 6;
const caseLimitMs = 300_000;

const needTexts: Readonly<Record<Need, string>> = {
  other: '--other-key of another organization',
  second: '--second-key of the same organization',
  empty: '--empty-key of an organization without allowance',
  limited: '--limited-key of an organization with 6,000 seconds left',
  small: '--small-key of an organization with 100 seconds left',
  minute: '--minute-key of an organization with 60 seconds left and access to Resonance-2',
  rate: '--rate-key with one request per minute',
  full: '--full-key of an organization that may keep no files',
  suspended: '--suspended-key of a suspended organization',
  trial: '--trial-key of an organization without a paid plan',
  unapproved: '--unapproved-key of an organization with 60 seconds left, without Resonance-2',
  'resonance-2': 'access of the key to Resonance-2',
  paid: 'a key of a paid plan',
};

export async function runSuite(
  target: Target,
  { select = () => true, onOutcome }: SuiteOptions = {},
): Promise<readonly Outcome[]> {
  const service = createService(target);
  const missing = await missingNeeds(service, target);
  const queue = entries.filter(select);
  const outcomes: Outcome[] = [];
  const settle = (outcome: Outcome): void => {
    outcomes.push(outcome);
    onOutcome?.(outcome);
  };
  const work = async (): Promise<void> => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      settle(await runEntry(service, entry, missing));
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  return outcomes.sort((a, b) => a.entry.number - b.entry.number);
}

async function missingNeeds(service: Service, { keys }: Target): Promise<ReadonlySet<Need>> {
  const approved = (await service.get('/v1/models/svc-resonance-2/access')).body?.approved === true;
  const paid = (await service.get('/v1/models/svczero/access')).status === 200;
  const has = { ...keys, 'resonance-2': approved, paid };
  return new Set((Object.keys(needTexts) as Need[]).filter((need) => !has[need]));
}

async function runEntry(
  service: Service,
  entry: NumberedEntry,
  missing: ReadonlySet<Need>,
): Promise<Outcome> {
  if ('why' in entry) return { entry, state: 'not testable', reason: entry.why };
  if (entry.needs && missing.has(entry.needs)) {
    return { entry, state: 'not testable', reason: `it needs ${needTexts[entry.needs]}` };
  }
  const limit = new AbortController();
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no end after ${caseLimitMs / 1_000} s`)),
      caseLimitMs,
    );
    limit.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  try {
    await Promise.race([entry.check(service), late]);
    return { entry, state: 'passed', reason: null };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { entry, state: 'failed', reason: text.replaceAll(/\s+/g, ' ').slice(0, 400) };
  } finally {
    limit.abort();
  }
}
