// Whom a request comes from: proxies are believed where they are trusted, and nobody else is.
import test from 'ava';
import { arrivalOf } from '../../../api/http/arrival.ts';
import { parseNetworks } from '../../../api/http/networks.ts';

const trusted = parseNetworks('10.0.0.0/8, fd00::/8');

const arrival = (remoteAddress: string, headers: Readonly<Record<string, string>>) =>
  arrivalOf({ headers: { host: 'api:8080', ...headers }, socket: { remoteAddress } }, trusted);

const forwarded = {
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'speech.example',
};

test('a trusted proxy says who calls, over what, and under which name', (t) => {
  const expected = { address: '203.0.113.7', secure: true, host: 'speech.example' };
  t.deepEqual(arrival('10.1.2.3', forwarded), expected);
  t.deepEqual(arrival('::ffff:10.1.2.3', forwarded), expected);
  t.deepEqual(arrival('fd00::1', forwarded), expected);
});

test('a stranger who says so is not believed', (t) => {
  const expected = { address: '198.51.100.9', secure: false, host: 'api:8080' };
  t.deepEqual(arrival('198.51.100.9', forwarded), expected);
});

test('what stands before the nearest stranger in the list is made up by him', (t) => {
  const list = { 'x-forwarded-for': '1.1.1.1, 203.0.113.7:4711, 10.9.9.9' };
  t.is(arrival('10.1.2.3', list).address, '203.0.113.7');
  t.is(arrival('10.1.2.3', { 'x-forwarded-for': '[2001:db8:1:2::3]:9' }).address, '2001:db8:1:2');
});

test('a list that cannot be read leaves the proxy, a host that is none the one of HTTP', (t) => {
  const broken = { 'x-forwarded-for': 'unknown', 'x-forwarded-host': 'a"><b' };
  t.deepEqual(arrival('10.1.2.3', broken), {
    address: '10.1.2.3',
    secure: false,
    host: 'api:8080',
  });
});
