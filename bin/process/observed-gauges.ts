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

/** Adds the gauges to a process's metrics; a part that is away leaves them empty. */
export function registerObserved<T>(
  registry: Registry,
  { read, memoryMs }: Look<T>,
  gauges: readonly ObservedGauge<T>[],
): void {
  let latest: { readonly at: number; readonly seen: Promise<T | null> } | null = null;
  const look = (): Promise<T | null> => {
    const now = performance.now();
    if (latest === null || now - latest.at > memoryMs) {
      latest = { at: now, seen: read().catch(() => null) };
    }
    return latest.seen;
  };
  for (const { name, help, labelNames, values } of gauges) {
    new Gauge({
      ...{ name, help, labelNames: [...labelNames], registers: [registry] },
      async collect() {
        const seen = await look();
        this.reset();
        // Without labels a reset leaves a zero, which would be a value.
        if (labelNames.length === 0) this.remove();
        for (const { labels, value } of seen === null ? [] : values(seen)) this.set(labels, value);
      },
    });
  }
}
