// What set-up tells the parts of the stack about a proxy.
import test from 'ava';
import { loopbackExceptions } from '../../../bin/setup/loopback.mjs';

const loopback = '127.0.0.1,localhost,::1';

test('where a proxy is set, this machine is reached without it', (t) => {
  for (const name of ['http_proxy', 'HTTPS_PROXY', 'grpc_proxy']) {
    const found = loopbackExceptions({ [name]: 'http://proxy.example:3128' });
    t.deepEqual(found, { no_proxy: loopback, NO_PROXY: loopback }, name);
  }
});

test('the hosts that are named stay, once each', (t) => {
  const found = loopbackExceptions({
    http_proxy: 'http://proxy.example:3128',
    no_proxy: '.example.com, localhost',
    NO_PROXY: '.example.com,10.0.0.0/8',
  });
  t.is(found.no_proxy, '.example.com,localhost,10.0.0.0/8,127.0.0.1,::1');
  t.is(found.NO_PROXY, found.no_proxy);
});

test('without a proxy nothing is set', (t) => {
  t.deepEqual(loopbackExceptions({ no_proxy: 'example.com', http_proxy: '' }), {});
});
