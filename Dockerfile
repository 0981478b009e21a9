# The hub with its embedded database, or with the PostgreSQL in DATABASE_URL.
#   docker build --tag hub .
#   docker run --publish 8080:8080 --volume hub-data:/app/data hub
FROM node:24-slim AS page

WORKDIR /app
COPY package.json package-lock.json ./
COPY web/package.json web/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/prepare.js

FROM node:24-slim

WORKDIR /app
ENV NODE_ENV=production \
    HUB_HOST=0.0.0.0 \
    HUB_DATA_DIR=/app/data

COPY package.json package-lock.json ./
COPY web/package.json web/
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force

COPY LICENSE ./
COPY bin bin
COPY src src
COPY migrations migrations
COPY mappings mappings
COPY gbfs gbfs
COPY docs/*.md docs/
COPY --from=page /app/web/dist web/dist
RUN mkdir data && chown node:node data

USER node
VOLUME /app/data
EXPOSE 8080

# The first start creates the embedded database, which takes some seconds.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.HUB_PORT || 8080}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

ENTRYPOINT ["node", "bin/hub.js"]
CMD ["serve"]
