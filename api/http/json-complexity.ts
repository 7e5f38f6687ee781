// What a JSON text would become, before it is built: a megabyte of `{},` becomes 50 of objects.

const [quote, backslash] = [0x22, 0x5c];
const counted = new Uint8Array(256);
for (const token of '{[,') counted[token.charCodeAt(0)] = 1;

/**
 * Whether a text has so many objects, lists and elements that it is not to be parsed.
 * @param body in UTF-8; it need not be JSON
 */
export function isTooComplex(body: Uint8Array, maxElements: number): boolean {
  let elements = 0;
  let inString = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]!;
    if (byte === quote) inString = !inString;
    else if (!inString) elements += counted[byte]!;
    else if (byte === backslash) at += 1;
  }
  return elements > maxElements;
}
