# The hub with its embedded database, or with the PostgreSQL in DATABASE_URL.
#   docker build --tag hub .
#   docker run --publish 8080:8080 --volume hub-data:/app/data hub
FROM node:24-slim AS package

WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund && node scripts/prepare.js && npm run package
# The same package as without containers (docs/operation.md, "Install"). npm leaves its logs and caches in this stage.
RUN npm install --global --prefix /package --ignore-scripts --no-audit --no-fund ./dist/*.tgz

FROM node:24-slim

ENV NODE_ENV=production \
    HUB_HOST=0.0.0.0 \
    HUB_DATA_DIR=/app/data

COPY --from=package /package /usr/local

WORKDIR /app
RUN mkdir data && chown node:node data

USER node
VOLUME /app/data
EXPOSE 8080

# The first start creates the embedded database, which takes most of a minute on a busy machine.
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.HUB_PORT || 8080}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

ENTRYPOINT ["hub"]
CMD ["serve"]
