// How clients and workers authenticate to Temporal: TLS, certificates, keys.
import { once } from 'node:events';
import { createSecureServer, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import test, { type ExecutionContext } from 'ava';
import { readConfig } from '../../../bin/settings/read-config.ts';
import {
  temporalOf,
  temporalSettings,
  type TemporalAccess,
} from '../../../bin/settings/temporal-config.ts';
import {
  clientConnectionOptions,
  workerConnectionOptions,
} from '../../../bin/process/temporal-connection.ts';
import { makeCertificates } from '../../support/certificates.ts';
import type { Cleanup } from '../../support/cleanup.ts';
import { patientMs } from '../../support/patience.ts';

interface Call {
  readonly headers: IncomingHttpHeaders;
  /** Common name of the client's certificate; undefined without one. */
  readonly name: string | undefined;
}

/** An empty gRPC message, not compressed, in which every field has its default. */
const emptyMessage = Buffer.alloc(5);

/** A gRPC server that answers everything with an empty message. */
async function frontend(t: Cleanup) {
  const certificates = makeCertificates(t);
  const { authority, server } = certificates;
  const calls: Call[] = [];
  const http = createSecureServer({
    ...{ cert: server.cert, key: server.key, ca: authority },
    ...{ requestCert: true, rejectUnauthorized: false },
  });
  http.on('stream', (stream, headers) => {
    const socket = stream.session?.socket as TLSSocket;
    const name = socket.authorized ? socket.getPeerCertificate().subject?.CN : undefined;
    calls.push({ headers, name: Array.isArray(name) ? name[0] : name });
    const head = { ':status': 200, 'content-type': 'application/grpc' };
    stream.respond(head, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(emptyMessage);
  });
  const sessions = new Set<{ destroy(): void }>();
  http.on('session', (session) => void sessions.add(session));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.teardown(() => {
    for (const session of sessions) session.destroy();
    http.close();
  });
  const address = `localhost:${(http.address() as AddressInfo).port}`;
  return { certificates, calls, address };
}

/** Connects as a client and as a worker, each of which makes a call. */
async function connectBoth(
  t: ExecutionContext,
  access: TemporalAccess,
  calls: readonly unknown[],
): Promise<void> {
  const client = await Connection.connect({
    ...{ ...clientConnectionOptions(access), connectTimeout: patientMs },
  });
  t.teardown(() => client.close());
  const asClient = calls.length;
  const native = await NativeConnection.connect(workerConnectionOptions(access));
  t.teardown(() => native.close());
  t.true(asClient > 0 && calls.length > asClient);
}

test('both kinds of connection send the key over TLS with a private authority', async (t) => {
  const { certificates, calls, address } = await frontend(t);
  const access = temporalOf(
    readConfig(temporalSettings, {
      TEMPORAL_ADDRESS: address,
      TEMPORAL_API_KEY: 'a-key',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: certificates.authorityPath,
    }),
  );
  await connectBoth(t, access, calls);
  for (const { headers, name } of calls) {
    t.is(headers.authorization, 'Bearer a-key');
    t.is(name, undefined);
  }
});

test('both kinds present a client certificate', async (t) => {
  const { certificates, calls, address } = await frontend(t);
  const access = temporalOf(
    readConfig(temporalSettings, {
      TEMPORAL_ADDRESS: address.replace('localhost', '127.0.0.1'),
      TEMPORAL_TLS_SERVER_NAME: 'localhost',
      TEMPORAL_TLS_SERVER_CA_CERT_DATA: certificates.authority,
      TEMPORAL_TLS_CLIENT_CERT_PATH: certificates.client.certPath,
      TEMPORAL_TLS_CLIENT_KEY_PATH: certificates.client.keyPath,
    }),
  );
  await connectBoth(t, access, calls);
  t.true(calls.every(({ name }) => name === 'client'));
});

test('a server with an unknown authority receives no key', async (t) => {
  const { calls, address } = await frontend(t);
  const access = temporalOf(
    readConfig(temporalSettings, { TEMPORAL_ADDRESS: address, TEMPORAL_API_KEY: 'a-key' }),
  );
  await t.throwsAsync(
    Connection.connect({ ...clientConnectionOptions(access), connectTimeout: 1_000 }),
  );
  await t.throwsAsync(NativeConnection.connect(workerConnectionOptions(access)));
  t.is(calls.length, 0);
});
