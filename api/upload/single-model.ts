// The strict shape of endpoints with one model: `file` and `model`, nothing else.
import { refuseUnknown, requireModel } from '../speech/request.ts';
import type { Fields } from '../http/multipart.ts';

/**
 * @param ids that `model` may have; the first is the default
 * @throws ServiceError unknown_field, model_retired, model_not_supported, model_not_found
 */
export function parseSingleModel(fields: Fields, ids: readonly string[]): void {
  refuseUnknown(fields, ['model'], 'of this endpoint; it takes file and model');
  requireModel(fields.get('model') || ids[0]!, ids);
}
