// Queries over the catalog: which models a shape, a task or an endpoint has, and their limits.
import type { CatalogModel, ModelLimits, Shape, TaskName, WindowRule } from './catalog-row.ts';
import { catalog, retiredModelIds, type IdOfShape, type ModelId } from './catalog.ts';
import type { AnalysisOptions } from './recording-request.ts';
import { taskSteps, type RecordingTask, type TaskSteps } from './tasks.ts';

/** A row of the catalog, without its literal types. */
export type PublicModel = CatalogModel & { readonly id: ModelId };

export const models: readonly PublicModel[] = catalog;

/** The row of a model of the catalog. */
export function modelRow(id: ModelId): PublicModel {
  return models.find((model) => model.id === id)!;
}

/** Ids of the models of a shape, in the order of the catalog; the first is its default. */
export function modelsOf<S extends Shape>(shape: S): readonly [IdOfShape<S>, ...IdOfShape<S>[]] {
  const ids = models.filter((model) => model.shape === shape).map(({ id }) => id);
  return ids as unknown as readonly [IdOfShape<S>, ...IdOfShape<S>[]];
}

/** Models of the common shape, which batches use, too; the first is the default. */
export const commonModels = modelsOf('common');
export const [defaultModel] = commonModels;
/** The models of shapes with their own streams or results. */
export const [liteModel] = modelsOf('lite');
export const [spectraModel] = modelsOf('spectra-2');
export const [proficiencyModel] = modelsOf('proficiency');
export const [resonance2Model] = modelsOf('resonance-2');
export const [syntheticModel] = modelsOf('synthetic-speech');

/** Shapes that share the endpoints of their tasks; the `model` field selects among them. */
const sharedShapes: readonly Shape[] = ['common', 'lite', 'spectra-2'];

/** The models that the endpoint of a task serves, those of the common shape first. */
export function servedAt(task: TaskName): readonly PublicModel[] {
  const serving = models.filter(
    ({ shape, tasks }) => sharedShapes.includes(shape) && tasks.includes(task),
  );
  return serving.toSorted((a, b) => sharedShapes.indexOf(a.shape) - sharedShapes.indexOf(b.shape));
}

/** Also false for an unknown model. */
export function isOfShape<S extends Shape>(id: string, shape: S): id is IdOfShape<S> {
  return models.some((model) => model.id === id && model.shape === shape);
}

/** Limits of a model of the table. */
export function limitsOf(id: ModelId): ModelLimits {
  return modelRow(id).limits;
}

/** null when the model scores speech segments. */
export function windowOf(id: ModelId): WindowRule | null {
  return modelRow(id).window ?? null;
}

/** Every id that some endpoint accepts. */
const knownModels = models.flatMap(({ id, aliases = [] }) => [id, ...aliases]);

/** Why an endpoint does not serve a model id, in the terms of contract.md. */
export function modelError(
  id: string,
  served: readonly string[],
): {
  readonly code: 'model_retired' | 'model_not_supported' | 'model_not_found';
  readonly message: string;
} {
  const allowed = `use ${served.join(' or ')}`;
  if ((retiredModelIds as readonly string[]).includes(id)) {
    return { code: 'model_retired', message: `The model ${id} is retired; ${allowed}.` };
  }
  if (knownModels.includes(id)) {
    const message = `The model ${id} is not served by this endpoint; ${allowed}.`;
    return { code: 'model_not_supported', message };
  }
  const message = `There is no model "${id.slice(0, 64)}"; ${allowed}.`;
  return { code: 'model_not_found', message };
}

/**
 * The language in which a request's recording is recognised, as ISO 639-1 code; null: the
 * recording's own, which is detected.
 */
export function languageOf(request: {
  readonly model: ModelId;
  readonly options: Pick<AnalysisOptions, 'language'>;
}): string | null {
  const { parts }: CatalogModel = modelRow(request.model);
  const isEnglish = parts.otherLanguages === undefined && !writesTexts(request.model);
  return isEnglish ? 'en' : (request.options.language ?? null);
}

/** True for a model that writes texts in whatever language is spoken, also where it needs words. */
export function writesTexts(id: string | undefined): boolean {
  return models.some((model) => model.id === id && model.parts.transcription !== undefined);
}

/** The steps of a request: those of its task, or those of its model. */
export function stepsOf(request: {
  readonly task: RecordingTask;
  readonly model: ModelId;
  readonly options?: AnalysisOptions;
}): TaskSteps {
  const { steps = taskSteps[request.task] }: CatalogModel = modelRow(request.model);
  // Only words with times can be removed, so a text without them is made of words instead.
  if (steps.text && request.options?.redact) return { ...steps, words: true, text: false };
  return steps;
}
