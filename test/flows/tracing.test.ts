// One trace from the caller over API and workflow to the activity, as a collector receives it.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { patientMs } from '../support/patience.ts';
import { speech, toWav } from '../support/speech.ts';
import { testStack, transcribe, untilReady } from '../support/stack.ts';
import { until } from '../support/until.ts';

interface Span {
  readonly traceId: string;
  readonly name: string;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

test("a request's spans are one trace, and hold no words", async (t) => {
  const spans: Span[] = [];
  let sent = '';
  const collector = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      sent += body;
      const { resourceSpans } = JSON.parse(body) as Export;
      spans.push(...resourceSpans.flatMap((each) => each.scopeSpans.flatMap((s) => s.spans)));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  // A connection that is kept is not closed while a stalled exporter uses it again.
  collector.keepAliveTimeout = 0;
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  t.teardown(() => void collector.close());
  const { port } = collector.address() as AddressInfo;
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    OTEL_BSP_EXPORT_TIMEOUT: String(patientMs),
    OTEL_EXPORTER_OTLP_TIMEOUT: String(patientMs),
  };
  const stack = await testStack(t, {
    worker: false,
    apiEnvironment: tracing,
    workerEnvironment: tracing,
  });
  await stack.startWorker();
  const { base } = await stack.startApi();
  await untilReady({ base });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  const file = toWav(await speech('Tell nobody about the weather.'));
  const { status } = await transcribe({ ...stack, base }, file, { headers });
  t.is(status, 200);
  const own = () => spans.filter((span) => span.traceId === traceId).map(({ name }) => name);
  const wanted = [
    /^POST \/v1\/audio\/transcriptions$/,
    /^StartWorkflow:analyzeRecording$/,
    /^RunWorkflow:analyzeRecording$/,
    /openRecording/,
  ];
  const isWhole = (names: readonly string[]): boolean =>
    wanted.every((pattern) => names.some((name) => pattern.test(name)));
  // Each process exports what it has ended, in its own time.
  t.log((await until(own, isWhole)).join(', '));
  t.notRegex(sent, /weather|nobody|Bearer|svc_live/i);
});
