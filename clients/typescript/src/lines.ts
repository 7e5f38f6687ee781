// The lines of a streamed answer.

/** Without their ends; the last one may lack one. */
export async function* linesOf(response: Response): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (done ? decoder.decode() : decoder.decode(value, { stream: true })).split('\n');
      // A line may come in many blocks: what came before is not searched again.
      lines[0] = rest + lines[0]!;
      rest = lines.pop()!;
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
      if (done) break;
    }
    if (rest !== '') yield rest;
  } finally {
    // A caller that stops early does not want the rest.
    await reader.cancel().catch(() => {});
  }
  return undefined;
}

/** The data of each server-sent event (WHATWG HTML, 9.2.6) with the name. */
export async function* eventsOf(
  response: Response,
  name: string,
): AsyncGenerator<string, undefined> {
  let event = 'message';
  let data: string[] = [];
  for await (const line of linesOf(response)) {
    if (line === '') {
      if (event === name && data.length > 0) yield data.join('\n');
      event = 'message';
      data = [];
    } else {
      const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (field === 'event') event = value;
      else if (field === 'data') data.push(value);
    }
  }
  return undefined;
}
