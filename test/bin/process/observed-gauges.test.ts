// A scrape does not wait for a part that is away, and what comes late is there for the next.
import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { Counter, Registry } from 'prom-client';
import { registerObserved } from '../../../bin/process/observed-gauges.ts';
import { fakeClock } from '../../support/fake-clock.ts';

test.serial(
  'a part that does not answer leaves its gauges empty, and hides no other',
  async (t) => {
    const advance = fakeClock(t);
    const registry = new Registry();
    new Counter({ name: 'answers', help: 'h', registers: [registry] }).inc(7);
    const looks: ((waiting: number) => void)[] = [];
    const read = () => new Promise<number>((resolve) => void looks.push(resolve));
    const gauge = (name: string) => ({
      ...{ name, help: 'h', labelNames: [] },
      values: (value: number) => [{ labels: {}, value }],
    });
    registerObserved(registry, { read, memoryMs: 3_600_000 }, [gauge('waiting'), gauge('same')]);
    const scrape = async (): Promise<string> => {
      const page = registry.metrics();
      await turn();
      advance(5_000);
      return page;
    };
    t.regex(await scrape(), /^answers 7$/m);
    t.notRegex(await scrape(), /^waiting \d/m);
    t.is(looks.length, 1, 'a look at a time');
    looks[0]!(12);
    t.regex(await scrape(), /^waiting 12$/m);
    t.regex(await scrape(), /^same 12$/m);
    t.is(looks.length, 1, 'and the scrapes after it share what it has seen');
  },
);
