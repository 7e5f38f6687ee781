// Finds duplicate members of a JSON text, of which `JSON.parse` silently keeps the last; pure.

/** An object or an array that is being read. */
interface Frame {
  /** Names of the object so far; null in an array. */
  readonly names: Set<string> | null;
  /** The member or element that is being read. */
  at: string | number;
}

/**
 * The path to the first member that an object of the text has twice, whatever escapes its name is
 * written with; null when there is none.
 * @param json a text that `JSON.parse` accepts
 */
export function findDuplicateMember(json: string): readonly (string | number)[] | null {
  const frames: Frame[] = [];
  for (let i = 0; i < json.length; i += 1) {
    const frame = frames.at(-1);
    const character = json[i]!;
    if (character === '{') frames.push({ names: new Set(), at: '' });
    else if (character === '[') frames.push({ names: null, at: 0 });
    else if (character === '}' || character === ']') frames.pop();
    else if (character === ',' && typeof frame?.at === 'number') frame.at += 1;
    else if (character === '"') {
      const end = endOfString(json, i);
      if (frame?.names && isName(json, end)) {
        frame.at = JSON.parse(json.slice(i, end)) as string;
        if (frame.names.has(frame.at)) return frames.map(({ at }) => at);
        frame.names.add(frame.at);
      }
      i = end - 1;
    }
  }
  return null;
}

/** Position after the closing quote. @param start position of the opening quote */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); ; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
}

/** Whether the string that ends here is followed by a colon. */
function isName(json: string, end: number): boolean {
  let at = end;
  while (/\s/.test(json[at]!)) at += 1;
  return json[at] === ':';
}
