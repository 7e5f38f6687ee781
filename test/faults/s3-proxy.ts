// An HTTP proxy before object storage that fails as stores do: errors, delays, truncated bodies.
import { once } from 'node:events';
import {
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cleanup } from '../support/cleanup.ts';
import type { Random } from '../support/random.ts';

export type StorageFailure =
  /** 500 InternalError or 503 SlowDown, before anything is done. */
  | 'reject'
  /**
   * 409, as of a gateway that deletes the folder which a put has just made. It keeps the ETag of
   * the object that was not stored, so that a put with If-None-Match is then rejected.
   */
  | 'folder'
  /** The store executes the request, and the answer is a 500. */
  | 'forget'
  /** The connection is reset before anything is done. */
  | 'reset'
  /** Half of a body arrives, then the connection is reset. */
  | 'short'
  /** Half of a body arrives, with a length that says that this is all. */
  | 'truncate'
  /** One bit of a body is flipped. */
  | 'flip';

export interface StorageTrouble {
  readonly failures: readonly StorageFailure[];
  /** The share of requests that fail, 0 to 1. */
  readonly share: number;
  /** Delay before each request is passed on. */
  readonly latencyMs: number;
  /** Failures in all; without it there is no limit. */
  readonly times?: number;
  /** Which requests fail; without it all may. */
  readonly only?: (request: IncomingMessage) => boolean;
}

export interface S3Proxy {
  readonly port: number;
  /** null: everything passes. */
  set(trouble: StorageTrouble | null): void;
  /** How often each failure was injected. */
  readonly dealt: ReadonlyMap<StorageFailure, number>;
}

/** @param target of the store, as a URL */
export async function startS3Proxy(t: Cleanup, target: string, random: Random): Promise<S3Proxy> {
  let trouble: StorageTrouble | null = null;
  const dealt = new Map<StorageFailure, number>();
  let left = Infinity;
  const pick = (request: IncomingMessage): StorageFailure | null => {
    if (!trouble || left === 0 || random() >= trouble.share) return null;
    if (trouble.only && !trouble.only(request)) return null;
    left -= 1;
    const failure = trouble.failures[Math.floor(random() * trouble.failures.length)]!;
    dealt.set(failure, (dealt.get(failure) ?? 0) + 1);
    return failure;
  };
  const named = new Set<string>();
  const server = createServer((request, response) => {
    const failure = pick(request);
    const path = request.url!.split('?')[0]!;
    if (failure === 'folder') named.add(path);
    else if (named.has(path) && request.headers['if-none-match']) {
      request.resume();
      return answerError(response, 412, 'PreconditionFailed');
    }
    const { latencyMs = 0 } = trouble ?? {};
    response.on('error', () => {});
    void sleep(latencyMs, null, { ref: false }).then(() =>
      serve({ target, request, response, failure, random }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      trouble = next;
      left = next?.times ?? Infinity;
    },
    dealt,
  };
}

interface Exchange {
  readonly target: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly failure: StorageFailure | null;
  readonly random: Random;
}

function serve(exchange: Exchange): void {
  const { target, request, response, failure, random } = exchange;
  if (failure === 'reset') return void request.socket.resetAndDestroy();
  if (failure === 'folder' || failure === 'reject') {
    request.resume();
    if (failure === 'folder') return answerError(response, 409, 'ExistingObjectIsDirectory');
    return random() < 0.5
      ? answerError(response, 500, 'InternalError')
      : answerError(response, 503, 'SlowDown');
  }
  const { hostname, port } = new URL(target);
  // The Host header stays: it is signed.
  const { method, url: path, headers } = request;
  const upstream = send({ hostname, port, method, path, headers }, (answer) => {
    if (failure === 'forget') {
      answer.resume();
      answerError(response, 500, 'InternalError');
    } else void passOn(answer, exchange);
  });
  upstream.on('error', () => request.socket.destroy());
  request.on('error', () => upstream.destroy());
  request.pipe(upstream);
}

async function passOn(answer: IncomingMessage, { response, failure }: Exchange): Promise<void> {
  const { statusCode = 502, headers } = answer;
  const spoils = failure !== null && statusCode < 300 && Number(headers['content-length']) > 1;
  if (!spoils) {
    response.writeHead(statusCode, headers);
    answer.pipe(response);
    return;
  }
  const body = Buffer.concat(await answer.toArray());
  const half = body.length >> 1;
  if (failure === 'flip') {
    body[half]! ^= 1;
    response.writeHead(statusCode, headers).end(body);
  } else if (failure === 'truncate') {
    response.writeHead(statusCode, { ...headers, 'content-length': half });
    response.end(body.subarray(0, half));
  } else {
    response.writeHead(statusCode, headers);
    response.write(body.subarray(0, half), () => response.destroy());
  }
}

function answerError(response: ServerResponse, status: number, code: string): void {
  const error = `<Error><Code>${code}</Code><Message>injected</Message></Error>`;
  const body = `<?xml version="1.0"?>${error}`;
  response.writeHead(status, { 'content-type': 'application/xml', 'content-length': body.length });
  response.end(body);
}
