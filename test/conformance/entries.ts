// Every entry of the suite, with its number.
import type { Entry } from './case.ts';
import { accessControl } from './sections/access-control.ts';
import { amounts } from './sections/amounts.ts';
import { bodyLimits } from './sections/body-limits.ts';
import { catalogs } from './sections/catalogs.ts';
import { classifiers } from './sections/classifiers.ts';
import { errors } from './sections/errors.ts';
import { http } from './sections/http.ts';
import { httpEdges } from './sections/http-edges.ts';
import { idempotency } from './sections/idempotency.ts';
import { languages } from './sections/languages.ts';
import { limits } from './sections/limits.ts';
import { liteRequests } from './sections/lite-requests.ts';
import { liteStream } from './sections/lite-stream.ts';
import { liveText } from './sections/live-text.ts';
import { minutes } from './sections/minutes.ts';
import { otherDoors } from './sections/other-doors.ts';
import { otherResources } from './sections/other-resources.ts';
import { overview } from './sections/overview.ts';
import { proficiency } from './sections/proficiency.ts';
import { proficiencyResources } from './sections/proficiency-resources.ts';
import { requestEdges } from './sections/request-edges.ts';
import { requests } from './sections/requests.ts';
import { resultEdges } from './sections/result-edges.ts';
import { results } from './sections/results.ts';
import { sessions } from './sections/sessions.ts';
import { spectraRequests } from './sections/spectra-requests.ts';
import { spectraStream } from './sections/spectra-stream.ts';
import { speechResources } from './sections/speech-resources.ts';
import { streamOpening } from './sections/stream-opening.ts';

export type NumberedEntry = Entry & { readonly number: number };

export const entries: readonly NumberedEntry[] = [
  ...overview,
  ...speechResources,
  ...proficiencyResources,
  ...otherResources,
  ...results,
  ...resultEdges,
  ...languages,
  ...amounts,
  ...requests,
  ...requestEdges,
  ...liteRequests,
  ...limits,
  ...bodyLimits,
  ...accessControl,
  ...errors,
  ...http,
  ...httpEdges,
  ...idempotency,
  ...classifiers,
  ...proficiency,
  ...catalogs,
  ...spectraRequests,
  ...sessions,
  ...minutes,
  ...streamOpening,
  ...spectraStream,
  ...liteStream,
  ...liveText,
  ...otherDoors,
].map((entry, i) => ({ ...entry, number: i + 1 }));
