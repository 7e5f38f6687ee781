// Whisper's vocabulary: byte-level pieces (GPT-2, Radford et al. 2019) to written text.

export interface WhisperVocabulary {
  readonly size: number;
  piece(token: number): Uint8Array;
  /** True when the piece begins with a space. */
  startsWord(token: number): boolean;
  /** Written text of tokens; markers such as `<|en|>` are never written. */
  text(tokens: readonly number[]): string;
}

const space = 0x20;

/** @param file one piece per line, bytes written as the printable characters of GPT-2 */
export function parseWhisperVocabulary(file: Uint8Array): WhisperVocabulary {
  const bytes = byteCharacters();
  const lines = new TextDecoder().decode(file).split('\n');
  if (lines.at(-1) === '') lines.pop();
  const pieces = lines.map((line) =>
    /^<\|.*\|>$/.test(line)
      ? new Uint8Array(0)
      : Uint8Array.from(line, (character) => bytes.get(character) ?? 0x3f),
  );
  const piece = (token: number): Uint8Array => pieces[token] ?? new Uint8Array(0);
  return {
    size: pieces.length,
    piece,
    startsWord: (token) => piece(token)[0] === space,
    text: (tokens) => Buffer.concat(tokens.map(piece)).toString('utf8').trim(),
  };
}

/** GPT-2's map: printable Latin-1 stands for itself, the other bytes for U+0100 and higher. */
export function byteCharacters(): ReadonlyMap<string, number> {
  const map = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 256; byte += 1) {
    const printable =
      (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    map.set(String.fromCodePoint(printable ? byte : next++), byte);
  }
  return map;
}
