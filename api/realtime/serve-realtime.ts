// A transcription session of OpenAI's Realtime API: its state machine over a socket.
import type { WebSocket } from 'ws';
import { newId } from '../../db/secrets.ts';
import { modelsWithoutVocabulary } from '../../models/bundles/catalog.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { OpenedStream } from '../streams/authenticate.ts';
import { createCharging } from '../streams/charging.ts';
import type { DrivenStream } from '../streams/drive.ts';
import type { CloseCode, StreamFailure } from '../streams/protocols/protocol.ts';
import { closeTimeoutMs } from '../streams/timeouts.ts';
import { createAudioInput } from './audio-input.ts';
import { paceSession } from './audio-pace.ts';
import { defaultConfig } from './config.ts';
import { lifetimeMs, listen, send } from './listen.ts';
import { readMessage } from './read-message.ts';
import { createSampleWindow } from './sample-window.ts';
import { failureEvent, openRealtime, stepRealtime, type RealtimeOptions } from './session.ts';
import type { RealtimeEffect, RealtimeEvent } from './session-state.ts';
import { positionOf } from './session-turns.ts';
import { createSpeechMonitor } from './speech-monitor.ts';
import { createTurns } from './turns.ts';
import type { RealtimeServices } from './turn.ts';

/** What detection still reads, and the longest prefix of a turn, with room. */
const keptSamples = 4 * sampleRate;
/** Audio that detection has not reached and turns in transcription with which the client waits. */
const heldFrom = { samples: 10 * sampleRate, turns: 4 };

export function serveRealtime(
  socket: WebSocket,
  caller: OpenedStream,
  services: RealtimeServices,
): DrivenStream {
  const first = openRealtime(newSession(caller, services));
  let { state } = first;
  let input = createAudioInput(state.config.format);
  const window = createSampleWindow();
  const aborter = new AbortController();
  const monitor = createSpeechMonitor(services.pool, window, {
    ...{ organizationId: caller.organizationId, priority: 1, signal: aborter.signal },
    onDetected: (probabilities) => handle({ kind: 'detected', probabilities }),
  });
  const charging = createCharging();
  const pace = paceSession(caller.organizationId, () => holdAhead());
  const turns = createTurns(services, caller, { charging, report: (event) => handle(event) });

  const perform = (effect: RealtimeEffect): void => {
    switch (effect.do) {
      case 'send':
        return send(socket, effect.message);
      case 'keep':
        caller.slot.pin();
        window.append(effect.pcm);
        return monitor.advance();
      case 'detect':
        return monitor.restart(effect.fromSample);
      case 'useFormat':
        return void (input = createAudioInput(effect.format));
      case 'open':
        return turns.open(effect.itemId, effect.config, effect.startSample / sampleRate);
      case 'record':
        return turns.record(effect.itemId, window.slice(effect.startSample, effect.endSample));
      case 'commit':
        return turns.commit(effect.itemId);
      case 'drop':
        return turns.drop(effect.itemId);
      case 'abandon':
        aborter.abort(new Error('the session ended'));
        return turns.abandon(effect.fault);
      case 'close':
        return close(socket, effect.code);
    }
  };
  const handle = (event: RealtimeEvent): void => {
    const step = stepRealtime(state, event);
    state = step.state;
    for (const effect of step.effects) perform(effect);
    if (event.kind === 'audio') pace.count(event.pcm.length / sampleRate);
    holdAhead();
  };
  const holdAhead = (): void => {
    const reached = state.config.turnDetection ? positionOf(state) : window.end;
    window.forget(reached - keptSamples);
    const isAhead = window.end - reached > heldFrom.samples || turns.committed() >= heldFrom.turns;
    if (!hasFlooded()) hold(socket, isAhead || pace.isResting() || isReading());
  };
  const fail = (failure: StreamFailure): void =>
    charging.afterwards(() => handle(failureEvent(failure)));
  const read = (text: string) => readMessage(text, input);
  const { hasFlooded, isReading } = listen(socket, { charging, fail, read, onEvent: handle });
  for (const effect of first.effects) perform(effect);
  holdAhead();
  const closed = Promise.withResolvers<void>();
  socket.once('close', () => {
    handle({ kind: 'gone' });
    closed.resolve();
  });
  return { over: closed.promise.then(() => turns.settled()), fail, hasFlooded };
}

function close(socket: WebSocket, code: CloseCode): void {
  socket.close(code, '');
  setTimeout(() => socket.terminate(), closeTimeoutMs).unref();
}

/** What is sent faster than it is analysed waits in the connection, as a file would. */
function hold(socket: WebSocket, isHeld: boolean): void {
  if (isHeld === socket.isPaused) return;
  if (isHeld) socket.pause();
  else socket.resume();
}

function newSession({ realtime }: OpenedStream, { bundles }: RealtimeServices): RealtimeOptions {
  const expiresAt = Math.floor((Date.now() + lifetimeMs) / 1_000);
  const { dialect, model } = realtime!;
  return {
    identity: { id: newId('sess_'), expiresAt },
    dialect,
    config: defaultConfig(model),
    withoutVocabulary: modelsWithoutVocabulary(bundles),
  };
}
