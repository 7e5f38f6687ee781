// Targets of requests: a path without a fragment, an address without its host, or none of these.
import test from 'ava';
import { originForm } from '../../../api/http/request-target.ts';

const targets: readonly (readonly [string, string | null])[] = [
  ['/v1/files?limit=1', '/v1/files?limit=1'],
  ['*', '*'],
  ['/v1/%zz?a=%', '/v1/%zz?a=%'],
  ['//a@[x', '//a@[x'],
  ['//a@[#x', '//a@['],
  ['/livez#[x', '/livez'],
  ['//a@[\u00a0', null],
  ['/caf\u00e9', null],
  ['http://host/livez', '/livez'],
  ['HTTPS://u:p@host:1/livez?a=http://b/', '/livez?a=http://b/'],
  ['http://host', '/'],
  ['http://host?a=b#c', '/?a=b'],
  ['http://host//a@[#', '//a@['],
  ['http://[::1]:80/livez', '/livez'],
  ['http://[::1/livez', null],
  ['http:///livez', null],
  ['http://a:99999/livez', null],
  ['ftp://host/livez', null],
  ['x://a%41b/', null],
];

test('a target is a path, an http address or refused', (t) => {
  for (const [target, path] of targets) t.is(originForm(target), path, target);
});
