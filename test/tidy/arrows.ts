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
  anyBuiltIn,
];

const apiMayUse = [
  /^(api|db)\//,
  /^workflows\/(types|ids|search-attributes)\.ts$/,
  /^models\/(catalog|bundle-catalog|errors|prices|sigmoid)\.ts$/,
  /^models\/(affect\/labels|audio\/container|recording\/steps|resonance-2\/score)\.ts$/,
  /^models\/json\/duplicate-member\.ts$/,
  /^models\/proficiency\/(measures|scores)\.ts$/,
  /^models\/(exports|fairness)\//,
  /^(koa|@koa\/router|@fastify\/busboy|better-sse|zod|zod-openapi|pino)$/,
  /^(standardwebhooks|ipaddr\.js|prom-client)$/,
  /^@opentelemetry\//,
  /^@temporalio\/(client|common|interceptors-opentelemetry)$/,
  anyBuiltIn,
];

const rules: readonly Arrow[] = [
  {
    from: /^models\/onnx\/manifest\.ts$/,
    values: [...domain, zod],
    types: [],
  },
  {
    from: /^models\/onnx\//,
    values: [...domain, /^onnxruntime-node$/, /^node:(async_hooks|fs|fs\/promises|crypto)$/],
    types: [],
  },
  {
    from: /^models\/sandbox\//,
    values: [...domain, /^node:(child_process|fs|os|stream)$/],
    types: [],
  },
  { from: /^models\/inference\//, values: [...domain, /^node:(child_process|os)$/], types: [] },
  { from: /^models\//, values: domain, types: [] },
  { from: /^db\//, values: [/^db\//, /^(kysely|pg|zod)$/, /^@aws-sdk\//, anyBuiltIn], types: [] },
  {
    from: /^workflows\//,
    values: [/^workflows\//, /^@temporalio\/(workflow|common)$/],
    types: [/^(activities|models)\//],
  },
  {
    // The worker's entry point and the files that only it uses.
    from: /^activities\/([a-z-]+-worker|config|log-isolation|logger|metrics|sweep-schedule)\.ts$/,
    values: [
      ...activitiesMayUse,
      /^@temporalio\/(client|worker)$/,
      /^(pino|prom-client|zod)$/,
      /^api\/(batches\/batch-workflows|metrics\/server|temporal-line|tracing\/tracing)\.ts$/,
      /^api\/webhooks\/receiver\.ts$/,
      /^api\/logging\/process-log\.ts$/,
    ],
    types: [],
  },
  {
    // Sockets speak the wire format that the API speaks.
    from: /^activities\/streams\//,
    values: [...activitiesMayUse, /^api\/(errors\.ts$|wire\/)/, /^@temporalio\/client$/, /^ws$/],
    types: [/^api\//],
  },
  {
    // A webhook is sent by a worker, and tried out by the API.
    from: /^activities\/webhooks\//,
    values: [...activitiesMayUse, /^api\/webhooks\//],
    types: [],
  },
  { from: /^activities\/decoder\//, values: [...activitiesMayUse, /^node-av(\/|$)/], types: [] },
  {
    from: /^activities\//,
    values: activitiesMayUse,
    types: [/^api\/(batches\/batch-workflows|webhooks\/receiver)/],
  },
  { from: /^api\//, values: apiMayUse, types: [/^(models|workflows)\//] },
  { from: /^bin\//, values: [/^(?!test\/)/], types: [] },
  { from: /^test\//, values: [/./], types: [] },
];

/** The rule of a file: the first that names it; null for files outside the rooms. */
export function arrowOf(path: string): Arrow | null {
  return rules.find(({ from }) => from.test(path)) ?? null;
}
