// Which lines of a document no case quotes, for the author of new cases; pure.

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** Headings, ends of tables' heads, names of tables and empty lines, which say no rule. */
const noRule = /^(#.*|\|[\s|-]+|\*\*\w+\*\*|\s*)$/;

/** @param quotes as cases quote the document: over the ends of its lines, which are blanks there */
export function unquotedLines(document: string, quotes: readonly string[]): readonly Line[] {
  const lines = document.split('\n');
  const isQuoted = quotedIn(document.replaceAll('\n', ' '), quotes);
  const unquoted: Line[] = [];
  let start = 0;
  for (const [i, text] of lines.entries()) {
    const isHead = /^\|[\s|-]+$/.test(lines[i + 1] ?? '');
    const isRule = !noRule.test(text) && !isHead;
    if (isRule && !isQuoted(start, start + text.length)) unquoted.push({ number: i + 1, text });
    start += text.length + 1;
  }
  return unquoted;
}

/** Whether some quote has a part between two positions. */
function quotedIn(
  text: string,
  quotes: readonly string[],
): (start: number, end: number) => boolean {
  const found = quotes.flatMap((quote) => {
    const positions: number[] = [];
    for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
      positions.push(at);
    }
    return positions.map((at) => ({ start: at, end: at + quote.length }));
  });
  return (start, end) => found.some((quote) => quote.start < end && quote.end > start);
}
