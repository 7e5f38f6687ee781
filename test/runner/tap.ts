// Reading the Test Anything Protocol (version 13) as ava writes it.
import type { Outcome } from './report.ts';

const resultLine = /^(not )?ok \d+ - (.*?)(?: # (SKIP)(?: .*)?)?$/;
const planLine = /^1\.\.\d+$/;

/**
 * Parses the lines of a TAP stream and emits each outcome when it is complete: a failure's YAML
 * block follows its line, so it is emitted when the next line without indent comes, or at the end.
 */
export function createTapReader(onOutcome: (outcome: Outcome) => void): {
  line(text: string): void;
  /** @returns whether the stream had its plan, the number of tests; a truncated one has none */
  end(): boolean;
} {
  let whole = false;
  let failure: { title: string; detail: string[] } | null = null;

  function flush(): void {
    if (failure === null) return;
    onOutcome({ title: failure.title, state: 'failed', detail: failure.detail.join('\n') });
    failure = null;
  }

  return {
    line(text) {
      // What a test has logged comes before its YAML block.
      if (failure !== null && (/^(?: |#   )/.test(text) || text === '')) {
        failure.detail.push(text.replace(/^(?: {2}|# {3})/, ''));
        return;
      }
      flush();
      whole ||= planLine.test(text);
      const [, bad, title = '', directive] = resultLine.exec(text) ?? [];
      if (title === '') return;
      if (directive !== undefined) onOutcome({ title, state: 'skipped', detail: '' });
      else if (bad === undefined) onOutcome({ title, state: 'passed', detail: '' });
      else failure = { title, detail: [] };
    },
    end: () => {
      flush();
      return whole;
    },
  };
}
