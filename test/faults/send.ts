// A transcription request of the fault tests, and its answer in a word.

export interface Sent {
  readonly key: string;
  readonly id: string;
  readonly file: Buffer;
  readonly model?: string;
}

/** `200`, status and code of a refusal, or `cut off` when no whole answer came. */
export async function send(base: string, { key, id, file, model }: Sent): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(file)]), 'call.wav');
  if (model) form.set('model', model);
  try {
    const response = await fetch(`${base}/v1/audio/transcriptions`, {
      method: 'POST',
      body: form,
      headers: { Authorization: `Bearer ${key}`, 'X-Request-ID': id },
    });
    const body = (await response.json()) as { readonly error?: { readonly code: string } };
    return body.error ? `${response.status} ${body.error.code}` : '200';
  } catch {
    return 'cut off';
  }
}
