// Options that `svc analyze` and `svc bulk` have in common.
import type { Command } from 'commander';
import { commonModels, defaultModel } from '../../models/contract/served-models.ts';
import { taskPaths, type SpeechTask } from '../../clients/typescript/src/audio.ts';
import type { FormFields } from '../../clients/typescript/src/recording.ts';
import { redactionKinds } from '../../models/contract/redaction.ts';
import { maxSpeakers } from '../../api/fields/speakers.ts';
import type { AddressOptions } from '../client/address.ts';
import { requireEffect } from '../client/require-effect.ts';
import { inOptions } from '../client/validate-order.ts';
import { parseText, parseWhole } from './arguments.ts';

export interface AnalysisOptions extends AddressOptions {
  readonly task: string;
  readonly model?: string;
  readonly diarize?: boolean;
  readonly numSpeakers?: number;
  readonly includeLogits?: boolean;
  readonly language?: string;
  readonly formatNumbers?: boolean;
  readonly redact?: string;
  readonly redactNames?: string;
  readonly vocabulary?: string;
}

export interface AnalysisRequest {
  readonly task: SpeechTask;
  /** Form fields besides the file. */
  readonly fields: FormFields;
}

export const allTasks = Object.keys(taskPaths);

export function withAnalysisOptions(command: Command, tasks: readonly string[]): Command {
  const analysis = command
    .option('--task <task>', tasks.join(', '), 'analysis')
    .option(
      '--model <id>',
      `${commonModels.join(', ')}; default: ${defaultModel}`,
      parseText('--model'),
    )
    .option('--diarize', 'separate the speakers')
    .option(
      '--num-speakers <n>',
      'exact number of speakers, with --diarize',
      parseWhole('--num-speakers', 1, maxSpeakers),
    )
    .option('--include-logits', 'scores and logits of every label')
    .option(
      '--language <code>',
      'spoken language, such as de; detected when absent',
      parseText('--language'),
    )
    .option('--format-numbers', 'spoken numbers in digits')
    .option(
      '--redact <kinds>',
      `remove ${redactionKinds.join(', ')} from the transcript`,
      parseText('--redact'),
    )
    .option(
      '--redact-names <names>',
      'remove these names too, separated by commas',
      parseText('--redact-names'),
    )
    .option(
      '--vocabulary <terms>',
      'names and terms to prefer, separated by commas',
      parseText('--vocabulary'),
    );
  return withAddressOptions(analysis);
}

export function withAddressOptions(command: Command): Command {
  return command
    .option(
      '--base <url>',
      'address of the service (SVC_BASE_URL; default: the stack on this machine)',
    )
    .option('--key <key>', 'API key (SVC_API_KEY; default: the demo key on this machine)');
}

/**
 * @throws for an unknown task, and for an option that has no effect with it; every other value is
 * validated by the service
 */
export function requestOf(options: AnalysisOptions): AnalysisRequest {
  const { task, model, diarize, numSpeakers, includeLogits, language, formatNumbers } = options;
  const { redact, redactNames, vocabulary } = options;
  requireTask(task, allTasks);
  const fields: FormFields = {
    ...(model && { model }),
    ...(diarize && { diarize: 'true' }),
    ...(numSpeakers && { num_speakers: numSpeakers }),
    ...(includeLogits && { include_logits: 'true' }),
    ...(language && { language }),
    ...(formatNumbers && { format_numbers: 'true' }),
    ...(redact && { redact }),
    ...(redactNames && { redact_names: redactNames }),
    ...(vocabulary && { vocabulary }),
  };
  try {
    requireEffect(task as SpeechTask, fields);
  } catch (error) {
    throw new Error(inOptions((error as Error).message));
  }
  return { task: task as SpeechTask, fields };
}

/** @throws for an unknown task */
export function requireTask(task: string, tasks: readonly string[]): void {
  if (!tasks.includes(task))
    throw new Error(`--task must be one of ${tasks.join(', ')}, got "${task}"`);
}
