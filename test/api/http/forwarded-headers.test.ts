// The client's connection: forwarded headers count only when a trusted proxy sends them.
import test from 'ava';
import { clientConnection } from '../../../api/http/forwarded-headers.ts';
import { parseNetworks } from '../../../api/http/networks.ts';

const trusted = parseNetworks('10.0.0.0/8, fd00::/8');

const connection = (remoteAddress: string, headers: Readonly<Record<string, string>>) =>
  clientConnection(
    { headers: { host: 'api:8080', ...headers }, socket: { remoteAddress } },
    trusted,
  );

const forwarded = {
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'speech.example',
};

test('address, protocol and host are taken from a trusted proxy', (t) => {
  const expected = { address: '203.0.113.7', secure: true, host: 'speech.example' };
  t.deepEqual(connection('10.1.2.3', forwarded), expected);
  t.deepEqual(connection('::ffff:10.1.2.3', forwarded), expected);
  t.deepEqual(connection('fd00::1', forwarded), expected);
});

test('forwarded headers of any other sender are ignored', (t) => {
  const expected = { address: '198.51.100.9', secure: false, host: 'api:8080' };
  t.deepEqual(connection('198.51.100.9', forwarded), expected);
});

test('the client is the last address that is not a trusted proxy', (t) => {
  const list = { 'x-forwarded-for': '1.1.1.1, 203.0.113.7:4711, 10.9.9.9' };
  t.is(connection('10.1.2.3', list).address, '203.0.113.7');
  t.is(
    connection('10.1.2.3', { 'x-forwarded-for': '[2001:db8:1:2::3]:9' }).address,
    '2001:db8:1:2',
  );
});

test('an unreadable list yields the proxy, an invalid host the Host header', (t) => {
  const broken = { 'x-forwarded-for': 'unknown', 'x-forwarded-host': 'a"><b' };
  t.deepEqual(connection('10.1.2.3', broken), {
    address: '10.1.2.3',
    secure: false,
    host: 'api:8080',
  });
});
