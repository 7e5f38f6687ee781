// Members that a JSON text gives twice: `JSON.parse` keeps the last and says nothing; pure.

/** An object or an array that is being read. */
interface Frame {
  /** Names that the object has had; null in an array. */
  readonly names: Set<string> | null;
  /** The member or the element that is being read. */
  at: string | number;
}

/**
 * The first member that an object of the text has twice, however its name is written: the names and
 * positions that lead to it. Null when there is none.
 * @param json a text that `JSON.parse` takes
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

/** Position behind the closing quote. @param start of the opening one */
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
