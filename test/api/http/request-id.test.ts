// An invalid request id: the message names the character that is wrong.
import test from 'ava';
import { isRequestId, requestIdError } from '../../../models/contract/request-id.ts';

test('ids are visible ASCII, and the error names the character that is not', (t) => {
  for (const id of ['a', '~'.repeat(128), '!"#']) t.true(isRequestId(id), id);
  const rejections = {
    'x y': 'X-Request-ID takes 1 to 128 visible ASCII characters; character 2 is a space.',
    'id\u00e9': 'X-Request-ID takes 1 to 128 visible ASCII characters; character 3 is U+00E9.',
    ['a'.repeat(129)]: 'X-Request-ID takes 1 to 128 visible ASCII characters, got 129.',
    '': 'X-Request-ID takes 1 to 128 visible ASCII characters, got none.',
  };
  for (const [id, rejection] of Object.entries(rejections)) {
    t.false(isRequestId(id), id);
    t.is(requestIdError('X-Request-ID', id), rejection);
  }
});
