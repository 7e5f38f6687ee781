// What the runner prints: failures as they happen, and at the end every failure and the counts.

export interface Outcome {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Why it failed; '' without a reason. */
  readonly detail: string;
}

/** Prints a failure as it happens, so that it can be read before the end. */
export function printFailure({ title, detail }: Outcome): void {
  process.stdout.write(`\n✗ ${title}\n`);
  if (detail !== '') process.stdout.write(`${indent(detail)}\n\n`);
}

/**
 * Prints what was skipped and what failed, and ends with the line of counts.
 * @returns the exit code: 1 when something failed or nothing ran
 */
export function printSummary(outcomes: readonly Outcome[]): number {
  const of = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state);
  const passed = of('passed');
  const failed = of('failed');
  const skipped = of('skipped');
  process.stdout.write('\n');
  for (const { title } of skipped) process.stdout.write(`- skipped: ${title}\n`);
  for (const { title } of failed) process.stdout.write(`✗ failed: ${title}\n`);
  const counts = `${passed.length} passed, ${failed.length} failed`;
  process.stdout.write(`${counts}${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}\n`);
  return failed.length > 0 || passed.length === 0 ? 1 : 0;
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
