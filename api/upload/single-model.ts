// The strict shape of endpoints with one model: `file` and `model`, nothing else.
import { ServiceError } from '../../models/errors.ts';
import { refuseUnknown } from './fields.ts';
import type { Fields } from './multipart.ts';

/** @param ids that `model` may have; the first is the default */
export function parseSingleModel(fields: Fields, ids: readonly string[]): void {
  refuseUnknown(fields, ['model'], 'of this endpoint; it takes file and model');
  const id = fields.get('model') || ids[0]!;
  if (ids.includes(id)) return;
  const message = `\`model\` takes ${ids.join(' or ')}, got "${id.slice(0, 64)}".`;
  throw new ServiceError('model_not_found', message, { param: 'model' });
}
