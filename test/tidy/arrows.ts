// Which folder may import what: the table of docs/ARCHITECTURE.md, as patterns.

export interface Arrow {
  /** Files that the rule is about. */
  readonly from: RegExp;
  /** What their values may come from: repository paths, packages or built-ins. */
  readonly values: readonly RegExp[];
  /** What their types may come from besides. */
  readonly types: readonly RegExp[];
}

/** Built-ins without effects, open to every room but workflows. */
const pureBuiltIns = /^node:(assert|buffer|events|path|timers\/promises|url|util|zlib)$/;
const anyBuiltIn = /^node:/;
const zod = /^zod$/;

const domain = [/^models\//, pureBuiltIns];

const activitiesMayUse = [
  /^(activities|models|db)\//,
  /^workflows\/(types|ids|plan|batch-plan|search-attributes)\.ts$/,
  /^@temporalio\/(activity|common)$/,
  /^prom-client$/,
  anyBuiltIn,
];

const apiMayUse = [
  /^(api|db)\//,
  /^workflows\/(types|ids|plan|search-attributes)\.ts$/,
  /^models\/(contract|analysis|audio|bundles|affect|proficiency|exports|fairness)\//,
  /^(koa|@koa\/router|@fastify\/busboy|better-sse|ws|zod|zod-openapi|pino)$/,
  /^(standardwebhooks|ipaddr\.js|prom-client)$/,
  /^@opentelemetry\//,
  /^@temporalio\/(client|common|interceptors-opentelemetry)$/,
  anyBuiltIn,
];

const rules: readonly Arrow[] = [
  {
    from: /^models\/bundles\//,
    values: [...domain, zod, /^node:(fs|fs\/promises|crypto)$/],
    types: [],
  },
  {
    from: /^models\/onnx\//,
    values: [...domain, /^onnxruntime-node$/, /^node:(async_hooks|fs|fs\/promises)$/],
    types: [],
  },
  {
    from: /^models\/sandbox\//,
    values: [...domain, /^node:(child_process|fs|os|stream)$/],
    types: [],
  },
  { from: /^models\/inference\//, values: [...domain, /^node:(child_process|os)$/], types: [] },
  {
    from: /^models\/analysis\//,
    values: [...domain, zod, /^workflows\/plan\.ts$/],
    types: [/^workflows\//],
  },
  { from: /^models\//, values: domain, types: [] },
  { from: /^db\//, values: [/^db\//, /^(kysely|pg|zod)$/, /^@aws-sdk\//, anyBuiltIn], types: [] },
  {
    from: /^workflows\//,
    values: [/^workflows\//, /^@temporalio\/(workflow|common)$/],
    types: [/^(activities|models)\//],
  },
  {
    // A webhook is sent by a worker, and tried out by the API.
    from: /^activities\/batches\/post-webhook\.ts$/,
    values: [...activitiesMayUse, /^api\/webhooks\//],
    types: [],
  },
  { from: /^activities\/decoder\//, values: [...activitiesMayUse, /^node-av(\/|$)/], types: [] },
  {
    from: /^activities\//,
    values: activitiesMayUse,
    types: [/^api\/(batches\/batch-workflows|webhooks\/receiver)/],
  },
  {
    from: /^api\//,
    values: apiMayUse,
    types: [/^(models|workflows)\//, /^activities\/hold-stream\.ts$/],
  },
  { from: /^bin\//, values: [/^(?!test\/)/], types: [] },
  { from: /^test\//, values: [/./], types: [] },
];

/** The rule of a file: the first that names it; null for files outside the rooms. */
export function arrowOf(path: string): Arrow | null {
  return rules.find(({ from }) => from.test(path)) ?? null;
}
