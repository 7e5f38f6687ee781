// The timelines of the HTML report: pictures as wide as the page, which scales them; pure.
import { clock } from './clock-texts.ts';
import { escapeHtml } from './escape-html.ts';
import type { ExportedSegment } from './exported-result.ts';

/** Units; the page scales them to its width. */
const width = 1_000;
const waveHeight = 80;
const laneHeight = 22;
const ticks = 6;

/** @param duration of the recording, seconds */
export function barOf(
  duration: number,
): (segment: ExportedSegment, kind: string, label: string) => string {
  const at = (seconds: number): string => ((width * seconds) / Math.max(duration, 1e-3)).toFixed(1);
  return (segment, kind, label) => {
    const length = Math.max(1, Number(at(segment.end)) - Number(at(segment.start)));
    const box = `x="${at(segment.start)}" y="2" width="${length.toFixed(1)}"`;
    const hint = escapeHtml(`${clock(segment.start)} ${label} ${segment.text ?? ''}`.trim());
    const look = `height="${laneHeight - 4}" rx="2" class="${kind}"`;
    return `<rect ${box} ${look}><title>${hint}</title></rect>`;
  };
}

/**
 * @param name for those who do not see it; '' for an empty one
 * @param bars by `barOf`
 */
export function timeline(name: string, bars: string): string {
  return picture(name, laneHeight, bars);
}

/**
 * Scaled to the loudest part.
 * @param peaks outline, 0-1
 */
export function waveform(peaks: readonly number[]): string {
  const loudest = Math.max(...peaks, 0.01);
  const step = width / peaks.length;
  const middle = waveHeight / 2;
  const point = (i: number, sign: number): string => {
    const y = middle - sign * middle * (peaks[i]! / loudest);
    return `${(i * step).toFixed(1)} ${y.toFixed(1)}`;
  };
  const top = peaks.map((_, i) => point(i, 1));
  const bottom = peaks.map((_, i) => point(i, -1)).toReversed();
  const path = `<path class="wave" d="M${[...top, ...bottom].join('L')}Z"/>`;
  return picture('Waveform', waveHeight, path);
}

/** @param duration seconds */
export function timeAxis(duration: number): string {
  return Array.from({ length: ticks }, (_, i) => {
    return `<span>${clock((duration * i) / (ticks - 1))}</span>`;
  }).join('');
}

function picture(name: string, height: number, content: string): string {
  const view = `viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"`;
  const told = name === '' ? 'aria-hidden="true"' : `role="img" aria-label="${escapeHtml(name)}"`;
  return `<svg ${view} style="height:${height}px" ${told}>${content}</svg>`;
}
