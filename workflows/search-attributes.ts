// The search attributes by which operators find workflows.
import {
  defineSearchAttributeKey,
  SearchAttributeType,
  type SearchAttributePair,
} from '@temporalio/common';

/** The attributes that the server has to register before a workflow can set them. */
export const searchAttributeTypes = {
  SvcOrganization: SearchAttributeType.KEYWORD,
  SvcModel: SearchAttributeType.KEYWORD,
  SvcTask: SearchAttributeType.KEYWORD,
  SvcStage: SearchAttributeType.KEYWORD,
  SvcBatch: SearchAttributeType.KEYWORD,
  SvcAudioSeconds: SearchAttributeType.DOUBLE,
} as const;

const key = <N extends keyof typeof searchAttributeTypes>(name: N) =>
  defineSearchAttributeKey(name, searchAttributeTypes[name]);

const organization = key('SvcOrganization');
const model = key('SvcModel');
const task = key('SvcTask');
const stage = key('SvcStage');
const batch = key('SvcBatch');
const audioSeconds = key('SvcAudioSeconds');

export interface Searchable {
  readonly organizationId?: string;
  readonly model?: string;
  readonly task?: string;
  readonly stage?: string;
  readonly batchId?: string;
  readonly audioSeconds?: number | null;
}

/** Pairs for the values that are known. */
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
