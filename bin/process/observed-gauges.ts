// Gauges whose values one look at another part gives together, taken at a scrape.
import { Gauge, type Registry } from 'prom-client';

export interface ObservedGauge<T> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly values: (seen: T) => readonly ObservedValue[];
}

export interface ObservedValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Look<T> {
  readonly read: () => Promise<T>;
  /** Scrapes within this time share a look. */
  readonly memoryMs: number;
}

/**
 * How long a scrape waits for a look, well within the ten seconds that it may take: a part that is
 * away must not hide what the process itself knows.
 */
const patienceMs = 3_000;

/** Adds the gauges to a process's metrics; a part that is away or slow leaves them empty. */
export function registerObserved<T>(
  registry: Registry,
  part: Look<T>,
  gauges: readonly ObservedGauge<T>[],
): void {
  const look = sharedLook(part);
  for (const { name, help, labelNames, values } of gauges) {
    new Gauge({
      ...{ name, help, labelNames: [...labelNames], registers: [registry] },
      async collect() {
        const seen = await withinPatience(look());
        this.reset();
        // Without labels a reset leaves a zero, which would be a value.
        if (labelNames.length === 0) this.remove();
        for (const { labels, value } of seen === null ? [] : values(seen)) this.set(labels, value);
      },
    });
  }
}

/** One look at a time; one that a scrape did not wait for is there for the next. */
function sharedLook<T>({ read, memoryMs }: Look<T>): () => Promise<T | null> {
  let latest: Promise<T | null> | null = null;
  let forgetAt = Infinity;
  return () => {
    if (latest === null || performance.now() > forgetAt) {
      forgetAt = Infinity;
      latest = read().catch(() => null);
      void latest.finally(() => (forgetAt = performance.now() + memoryMs));
    }
    return latest;
  };
}

async function withinPatience<T>(look: Promise<T | null>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patienceMs);
  });
  return Promise.race([look, late]).finally(() => clearTimeout(timer));
}
