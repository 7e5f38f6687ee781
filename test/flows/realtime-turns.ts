// Turns of a Realtime session with OpenAI's own client, over the stack of another test.
import type { ExecutionContext } from 'ava';
import type * as realtime from 'openai/resources/realtime/realtime';
import { joinSamples } from '../../models/audio/samples.ts';
import {
  openAiBehindTls,
  openRealtimeSession,
  type RealtimeSession,
} from '../support/realtime-session.ts';
import { framesOf, openSocket } from '../support/sockets.ts';
import { silence, speech } from '../support/speech.ts';
import type { TestStack } from '../support/stack.ts';

const realtimePath = '/openai/v1/realtime';
const completed = 'conversation.item.input_audio_transcription.completed';

type CompletedEvent = realtime.ConversationItemInputAudioTranscriptionCompletedEvent;

function secondsOf({ usage }: CompletedEvent): number {
  return usage.type === 'duration' ? usage.seconds : NaN;
}

/** PCM16 at 24 kHz in base64, in appends of half a second. */
function appends(pcm: Int16Array): readonly { type: 'input_audio_buffer.append'; audio: string }[] {
  const resampled = Int16Array.from({ length: Math.floor(pcm.length * 1.5) }, (_, i) => {
    return pcm[Math.floor(i / 1.5)]!;
  });
  return framesOf(resampled).map((frame) => ({
    type: 'input_audio_buffer.append',
    audio: Buffer.from(frame).toString('base64'),
  }));
}

/** A turn whose prompt has a term that sounds like what is said. @returns the seconds charged */
async function realtimeTerms(t: ExecutionContext, session: RealtimeSession): Promise<number> {
  const transcription = { model: 'whisper-1', language: 'en', prompt: 'Xanthippe, gray' };
  const input = { format: { type: 'audio/pcm' }, transcription } as const;
  session.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } });
  const [, updated] = await session.eventsOf('session.updated', 2);
  t.like(updated!.session, { audio: { input: { transcription } } });
  for (const event of appends(await speech('Is it gray or green?'))) session.send(event);
  session.send({ type: 'input_audio_buffer.commit' });
  const [, , third] = await session.eventsOf(completed, 3);
  t.regex(third!.transcript, /gray/i);
  return secondsOf(third!);
}

/** OpenAI's client: detected and committed turns, refusals. @returns the seconds charged */
export async function realtimeTurns(
  t: ExecutionContext,
  stack: TestStack,
  spoken: Int16Array,
): Promise<number> {
  const behindTls = await openAiBehindTls(t, stack);
  const session = openRealtimeSession(behindTls, 'whisper-1');
  const [opening] = await session.eventsOf('session.created');
  t.like(opening?.session, { type: 'transcription' });
  for (const event of appends(joinSamples([silence(1), spoken, silence(1.5)]))) session.send(event);
  const [first] = await session.eventsOf(completed);
  t.regex(first!.transcript, /call me back/i);
  const [started] = await session.eventsOf('input_audio_buffer.speech_started');
  const [stopped] = await session.eventsOf('input_audio_buffer.speech_stopped');
  t.true(started!.audio_start_ms > 500 && started!.audio_start_ms < 1_300);
  t.true(stopped!.audio_end_ms > started!.audio_start_ms + 1_000);
  t.deepEqual([started!.item_id, stopped!.item_id], [first!.item_id, first!.item_id]);
  const deltas = await session.eventsOf('conversation.item.input_audio_transcription.delta');
  t.regex(deltas.map(({ delta }) => delta).join(''), /call me back/i);

  // From here on the client commits, in the telephone's format.
  const format = { type: 'audio/pcmu' } as const;
  const input = { format, turn_detection: null };
  session.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } });
  await session.eventsOf('session.updated');
  session.send({ type: 'input_audio_buffer.commit', event_id: 'empty' });
  session.send({ type: 'response.create', event_id: 'other' });
  const errors = await session.eventsOf('error', 2);
  t.deepEqual(
    errors.map(({ error }) => [error.code, error.event_id]),
    [
      ['input_audio_buffer_commit_empty', 'empty'],
      ['invalid_field', 'other'],
    ],
  );
  // Silence in mu-law; cleared, it is neither transcribed nor charged.
  const quiet = Buffer.alloc(8_000, 0xff).toString('base64');
  session.send({ type: 'input_audio_buffer.append', audio: quiet });
  session.send({ type: 'input_audio_buffer.clear' });
  await session.eventsOf('input_audio_buffer.cleared');
  session.send({ type: 'input_audio_buffer.append', audio: quiet });
  session.send({ type: 'input_audio_buffer.commit' });
  const [, second] = await session.eventsOf(completed, 2);
  const [, committed] = await session.eventsOf('input_audio_buffer.committed', 2);
  t.is(second!.transcript, '');
  t.is(committed!.previous_item_id, first!.item_id);
  const preferring = await realtimeTerms(t, session);
  session.close();

  const { key } = stack.account;
  const refused = await openSocket(stack.base, `${realtimePath}?model=gpt-realtime`, {
    ...{ protocols: [], key },
  }).ended;
  t.deepEqual([refused.code, refused.messages[0].error.code], [400, 'model_not_found']);
  const inBrowser = ['realtime', `openai-insecure-api-key.${key}`];
  const address = `${realtimePath}?intent=transcription`;
  for (const [protocols, created] of [
    [inBrowser, 'session.created'],
    [[...inBrowser, 'openai-beta.realtime-v1'], 'transcription_session.created'],
  ] as const) {
    const browser = openSocket(stack.base, address, { protocols });
    await browser.message(created);
    t.is(browser.socket.protocol, 'realtime');
    browser.socket.close();
    await browser.ended;
  }
  return secondsOf(first!) + secondsOf(second!) + preferring;
}
