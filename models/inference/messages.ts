// What the pool and an inference process say to each other.

export type JobName = 'voiceActivity' | 'transcribe';

export interface JobMessage {
  readonly id: number;
  readonly job: JobName;
  readonly pcm: Int16Array;
}

export type ChildMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
