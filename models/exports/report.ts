// A recording as one self-contained HTML page: waveform, speakers, emotions, numbers, transcript;
// pure.
import { emotionLabels, styleLabels } from '../contract/labels.ts';
import { callMetrics, type CallMetrics, type SpeakerMetrics } from './call-metrics.ts';
import { clock, lengthText } from './clock-texts.ts';
import { escapeHtml } from './escape-html.ts';
import { isUnsureLabel, scoredLabels, textPieces, unsureNote } from './low-confidence.ts';
import { wholePercents } from './percentages.ts';
import { reportStyle } from './report-style.ts';
import { barOf, timeAxis, timeline, waveform } from './timelines.ts';
import { spokenSegments, type ExportedResult, type ExportedSegment } from './exported-result.ts';

export interface ReportOptions {
  readonly title: string;
  /** Outline of the waveform, 0-1; [] without the recording. */
  readonly peaks: readonly number[];
}

/** The page has no script and no reference to anything outside of it. */
export function toHtml(result: ExportedResult, { title, peaks }: ReportOptions): string {
  const { duration, segments, language } = result;
  const spoken = spokenSegments(result);
  const speakers = [...new Set(spoken.map(speakerOf))];
  const bar = barOf(duration);
  const laneOf = (name: string, lane: number): string => {
    const own = spoken.filter((segment) => speakerOf(segment) === name);
    const head = isSeparated(spoken) ? `<p class="lane">${key(`s${lane % 6}`, name)}</p>` : '';
    return head + timeline(name, own.map((each) => bar(each, `s${lane % 6}`, name)).join(''));
  };
  const withEmotion = segments.filter(({ emotions }) => emotions.length > 0);
  const emotions = withEmotion.map((segment) => {
    const [first] = segment.emotions;
    const kind = lookOf(`e${emotionIndex(first!.label)}`, first!);
    return bar(segment, kind, `${scoredLabels(segment.emotions)}:`);
  });
  const withStyle = segments.filter(({ styles }) => styles.length > 0);
  const styles = withStyle.map((segment) => {
    const [first] = segment.styles;
    const kind = lookOf(`y${styleIndex(first!.label)}`, first!);
    return bar(segment, kind, `${scoredLabels(segment.styles)}:`);
  });
  const note = unsureNote(result);
  const metrics = callMetrics(result);
  const labels = firstLabels(withEmotion.map((segment) => segment.emotions));
  const styleNames = firstLabels(withStyle.map((segment) => segment.styles));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${reportStyle}</style></head><body>
<header><h1 dir="auto">${escapeHtml(title)}</h1>
<p class="facts">${factsOf(result.duration, metrics)}</p>
${note === null ? '' : `<p class="note" role="note">${escapeHtml(note)}</p>`}</header>
<main>
${peaks.length === 0 ? '' : `<h2>Waveform</h2>${waveform(peaks)}`}
<h2>${lanesName(spoken)}</h2>
${spoken.length === 0 ? timeline('', '') : speakers.map(laneOf).join('')}
${withEmotion.length === 0 ? '' : `<h2>Emotions</h2>${timeline('Emotions', emotions.join(''))}`}
<p class="legend">${labels.map((label) => key(`e${emotionIndex(label)}`, label)).join(' ')}</p>
${withStyle.length === 0 ? '' : `<h2>Styles</h2>${timeline('Styles', styles.join(''))}`}
<p class="legend">${styleNames.map((label) => key(`y${styleIndex(label)}`, label)).join(' ')}</p>
<div class="ticks">${timeAxis(duration)}</div>
${labelsNote(segments)}
${talkOf(metrics.speakers, spoken)}
<h2>Transcript</h2>
${transcriptTable(spoken.map(transcriptRow(speakers, language ?? null)))}
</main></body></html>
`;
}

function transcriptTable(rows: readonly string[]): string {
  if (rows.length === 0) return '<p>No speech was found in this recording.</p>';
  const body = `<tbody>\n${rows.join('')}</tbody>`;
  return `<div class="wide"><table class="transcript">${body}</table></div>`;
}

function factsOf(duration: number, metrics: CallMetrics): string {
  const { talkSeconds, silenceSeconds, overlapSeconds } = metrics;
  const parts = [
    `${lengthText(duration)} long`,
    `${lengthText(talkSeconds)} of talk`,
    `${lengthText(silenceSeconds)} of silence`,
    `${lengthText(overlapSeconds)} of overlap`,
  ];
  return parts.join(' · ');
}

/** The class of a label's bar. */
function lookOf(colour: string, label: { readonly score: number }): string {
  return isUnsureLabel(label) ? `${colour} faint` : colour;
}

/** What the marks of labels mean; '' without such. */
function labelsNote(segments: readonly ExportedSegment[]): string {
  const isMarked = segments.some(({ emotions, styles }) =>
    [...emotions, ...styles].some(isUnsureLabel),
  );
  if (!isMarked) return '';
  return '<p>Emotions and styles followed by (?) are uncertain: their score is below 0.5.</p>';
}

function isSeparated(spoken: readonly ExportedSegment[]): boolean {
  return spoken.some(({ speaker }) => speaker !== null);
}

function lanesName(spoken: readonly ExportedSegment[]): string {
  return spoken.length === 0 || isSeparated(spoken) ? 'Speakers' : 'Speech';
}

/** Where speakers were not separated, a speaker's figures would be those of everyone. */
function talkOf(speakers: readonly SpeakerMetrics[], spoken: readonly ExportedSegment[]): string {
  if (spoken.length === 0 || isSeparated(spoken)) return metricsTable(speakers);
  return '<h2>Talk</h2><p>Speakers were not separated.</p>';
}

function metricsTable(speakers: readonly SpeakerMetrics[]): string {
  const shares = wholePercents(speakers.map(({ talkShare }) => talkShare));
  const rows = speakers.map((s, i) => {
    const share = `${shares[i]} %`;
    const wordRate = s.wordsPerMinute === null ? '–' : String(Math.round(s.wordsPerMinute));
    const cells = [lengthText(s.talkSeconds), share, s.turns, wordRate];
    const rest = [lengthText(s.longestMonologueSeconds), s.interruptions];
    const who = `<th scope="row"><bdi>${escapeHtml(speakerOf(s))}</bdi></th>`;
    return row([who, ...[...cells, ...rest].map((cell) => `<td>${cell}</td>`)]);
  });
  const names = ['Speaker', 'Talk', 'Share', 'Turns', 'Words/min', 'Longest', 'Interruptions'];
  const head = names.map((name) => `<th scope="col">${name}</th>`).join('');
  const body = `<thead>${row([head])}</thead><tbody>${rows.join('')}</tbody>`;
  return `<h2>Talk</h2><div class="wide"><table>${body}</table></div>`;
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.join('')}</tr>`;
}

/** @param language in which the words are read out; null when it is not known */
function transcriptRow(
  speakers: readonly string[],
  language: string | null,
): (segment: ExportedSegment) => string {
  const spokenIn = language === null ? '' : ` lang="${escapeHtml(language)}"`;
  return (segment) => {
    const lane = speakers.indexOf(speakerOf(segment)) % 6;
    const said = `<p dir="auto"${segment.text ? spokenIn : ''}>${saidIn(segment)}</p>`;
    const emotions = labelsOf('emotions', segment.emotions);
    const styles = labelsOf('styles', segment.styles);
    const who = `<th scope="row">${key(`s${lane}`, speakerOf(segment))}</th>`;
    return `<tr><td>${clock(segment.start)}</td>${who}<td>${said}${emotions}${styles}</td></tr>`;
  };
}

/** As the console says it; tasks without words have no text. */
function saidIn(segment: ExportedSegment): string {
  return segment.text === '' ? 'No words were understood.' : markedText(segment);
}

/** The words, those of low confidence underlined with their confidence as a hint. */
function markedText(segment: ExportedSegment): string {
  return textPieces(segment)
    .map(({ text, unsure }) => {
      if (unsure === null) return escapeHtml(text);
      const hint = `title="confidence ${unsure.confidence!.toFixed(2)}"`;
      return `<span class="unsure" ${hint}>${escapeHtml(text)}</span>`;
    })
    .join('');
}

function labelsOf(kind: 'emotions' | 'styles', scores: ExportedSegment['emotions']): string {
  if (scores.length === 0) return '';
  return `<p class="labels">${kind}: ${escapeHtml(scoredLabels(scores))}</p>`;
}

function key(kind: string, label: string): string {
  const box = `<rect width="10" height="10" rx="2" class="${kind}"/>`;
  const dot = `<svg viewBox="0 0 10 10">${box}</svg>`;
  return `<span class="key">${dot}<bdi>${escapeHtml(label)}</bdi></span>`;
}

function speakerOf({ speaker }: { readonly speaker: string | null }): string {
  return (speaker ?? 'Speech').replace(/^speaker_(?=\d+$)/, 'Speaker ');
}

function emotionIndex(label: string): number {
  return (emotionLabels as readonly string[]).indexOf(label);
}

function styleIndex(label: string): number {
  return (styleLabels as readonly string[]).indexOf(label);
}

/** The labels that come first in a segment, each once. */
function firstLabels(scores: readonly ExportedSegment['emotions'][]): readonly string[] {
  return [...new Set(scores.map(([first]) => first!.label))];
}
