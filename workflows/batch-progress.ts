// The progress of a batch for operators: the table that the Temporal UI shows; pure.

export interface BatchProgress {
  readonly total: number;
  readonly done: number;
  readonly running: number;
  readonly stage: 'running' | 'draining' | 'cancelling' | 'ended';
}

/** The progress as Markdown, for the Temporal UI. */
export function batchTable({ total, done, running, stage }: BatchProgress): string {
  const rows = [
    ['items', total],
    ['done', done],
    ['work in progress', running],
  ];
  return [
    `**${stage}**`,
    '',
    '| | |',
    '|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}
