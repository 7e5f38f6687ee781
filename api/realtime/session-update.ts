// A change of the settings of a Realtime session. Pure.
import { expectedTerms, unsupportedVocabulary } from '../fields/vocabulary.ts';
import { modelOf, sessionView, settingPaths, type RealtimeConfig } from './config.ts';
import { refuse } from './session-errors.ts';
import type { RealtimeState, RealtimeStep, SessionCommand } from './session-state.ts';
import { isEnough, openAppended, positionOf } from './session-turns.ts';
import { silentTurns } from './turn-detection.ts';

export function updated(
  state: RealtimeState,
  { change, dialect }: Extract<SessionCommand, { kind: 'update' }>,
  eventId: string | null,
): RealtimeStep {
  const before = state.config;
  const paths = settingPaths[dialect];
  const config = change(before);
  const isSwitched = (config.turnDetection === null) !== (before.turnDetection === null);
  if (state.turn && (isSwitched || config.format !== before.format)) {
    const param = isSwitched ? paths.turnDetection : paths.format;
    const message = `Commit or clear the audio before \`${param}\` is changed.`;
    return refuse(state, { code: 'invalid_field', message, param, eventId });
  }
  const model = modelOf(config);
  if (state.withoutVocabulary.has(model) && expectedTerms(config).length > 0) {
    const named = config.keywords.length > 0 ? 'keywords' : 'prompt';
    const param = `${paths.transcription}.${named}`;
    const { code, message } = unsupportedVocabulary(model, param);
    return refuse(state, { code, message, param, eventId });
  }
  const type = dialect === 'preview' ? 'transcription_session.updated' : 'session.updated';
  const message = { type, session: sessionView(state.identity, config, dialect) };
  const switched = isSwitched ? withSwitchedTurns(state, config) : { state, effects: [] };
  return {
    state: { ...switched.state, config },
    effects: [
      ...(config.format === before.format
        ? []
        : [{ do: 'useFormat', format: config.format } as const]),
      ...switched.effects,
      { do: 'send', message },
    ],
  };
}

/** What was appended and is not heard yet becomes the open turn where detection ends. */
function withSwitchedTurns(state: RealtimeState, config: RealtimeConfig): RealtimeStep {
  const fromSample = config.turnDetection ? state.samples : null;
  const isLeft = !config.turnDetection && isEnough(state.samples - positionOf(state));
  const appended = isLeft ? openAppended(state, config) : { state, effects: [] };
  const restarted = { detection: silentTurns, detectionStart: state.samples };
  return {
    state: { ...appended.state, ...restarted, lastEndSample: state.samples },
    effects: [{ do: 'detect', fromSample }, ...appended.effects],
  };
}
