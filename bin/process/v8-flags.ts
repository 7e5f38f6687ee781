// What V8 does otherwise than by default, in every process of the service however it was started.
import { setFlagsFromString } from 'node:v8';

/** Called by the entry of each role. */
export function setV8Flags(): void {
  // Else each 64 MB of samples that pass through cause a collection of the whole heap: a third of
  // the batch worker's time (docs/adr/0047).
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  // Else the heap, of which most lives as long as the process, is collected for each few megabytes
  // of them: a third of what was left.
  setFlagsFromString('--heap-growing-percent=50');
}
