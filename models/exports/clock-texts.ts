// Moments and lengths as the report names them, the way the console does; pure.

/** A length, rounded as on the console, where a moment is not. */
export function lengthText(seconds: number): string {
  const tenths = Math.round(seconds * 10) / 10;
  return tenths > 0 && tenths < 1 ? `${tenths} s` : clock(Math.round(seconds));
}

/** m:ss, with hours where there are any. */
export function clock(seconds: number): string {
  // As the console shows it: a moment is not named before it has come.
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, '0');
  return hours === 0
    ? `${minutes}:${rest}`
    : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}
