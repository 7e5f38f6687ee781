// OpenTelemetry traces over API, workflows and activities, where an OTLP endpoint is named.
import type { OpenTelemetryPlugin } from '@temporalio/interceptors-opentelemetry';

export interface Tracing {
  /** For clients, workers and workflow bundles; [] without an endpoint. */
  readonly plugins: readonly OpenTelemetryPlugin[];
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

/**
 * Reads OpenTelemetry's own variables (`OTEL_EXPORTER_OTLP_ENDPOINT`, `..._HEADERS`, ...). Nothing
 * is loaded without an endpoint.
 * @param service name of the process
 */
export async function startTracing(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: NodeJS.ProcessEnv,
): Promise<Tracing> {
  if (!endpoint) return { plugins: [], stop: async () => {} };
  const [node, otlp, resources, temporal] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@temporalio/interceptors-opentelemetry'),
  ]);
  const resource = new resources.Resource({ 'service.name': `svc-speech-${service}` });
  const spanProcessor = new node.BatchSpanProcessor(new otlp.OTLPTraceExporter());
  const provider = new node.NodeTracerProvider({ resource, spanProcessors: [spanProcessor] });
  provider.register();
  return {
    plugins: [new temporal.OpenTelemetryPlugin({ resource, spanProcessor })],
    stop: () => provider.shutdown(),
  };
}
