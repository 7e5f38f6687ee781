// What operators find workflows by.
import {
  defineSearchAttributeKey,
  SearchAttributeType,
  type SearchAttributePair,
} from '@temporalio/common';

const organization = defineSearchAttributeKey('SvcOrganization', SearchAttributeType.KEYWORD);
const model = defineSearchAttributeKey('SvcModel', SearchAttributeType.KEYWORD);
const task = defineSearchAttributeKey('SvcTask', SearchAttributeType.KEYWORD);
const stage = defineSearchAttributeKey('SvcStage', SearchAttributeType.KEYWORD);
const batch = defineSearchAttributeKey('SvcBatch', SearchAttributeType.KEYWORD);
const audioSeconds = defineSearchAttributeKey('SvcAudioSeconds', SearchAttributeType.DOUBLE);

export interface Searchable {
  readonly organizationId?: string;
  readonly model?: string;
  readonly task?: string;
  readonly stage?: string;
  readonly batchId?: string;
  readonly audioSeconds?: number | null;
}

/** The pairs of what is known. */
export function searchAttributes(values: Searchable): SearchAttributePair[] {
  const { organizationId, audioSeconds: seconds } = values;
  return [
    ...(organizationId === undefined ? [] : [{ key: organization, value: organizationId }]),
    ...(values.model === undefined ? [] : [{ key: model, value: values.model }]),
    ...(values.task === undefined ? [] : [{ key: task, value: values.task }]),
    ...(values.stage === undefined ? [] : [{ key: stage, value: values.stage }]),
    ...(values.batchId === undefined ? [] : [{ key: batch, value: values.batchId }]),
    ...(seconds === null || seconds === undefined ? [] : [{ key: audioSeconds, value: seconds }]),
  ];
}
