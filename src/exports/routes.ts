import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { snapshotOf } from '../changes/index.ts'
import type { Feed } from '../changes/index.ts'
import { AppError } from '../errors/index.ts'
import { anotherFile, answerRead, jsonType, matchesEtag } from '../http/index.ts'
import { matchesStrongly, weakEtag } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import { nearest } from '../lang/index.ts'
import { contentTypes, parseList } from './export-list.ts'
import type { ExportFile, ExportList, MadeExport } from './export-list.ts'
import { publicFeeds } from './make-exports.ts'
import type { ExportDeps } from './make-exports.ts'
import { exactly, orNull, problem } from '../lang/schemas.ts'

const tags = ['Changes']

const described = {
  dataset: Type.String({ description: 'Name of a feed at GET /changes' }),
  madeAt: Type.String({ format: 'date-time' }),
  count: Type.Integer({ description: 'Records' }),
}

const exportsOperation = {
  operationId: 'listExports',
  summary:
    'Exports of the public data as files: a copy of each dataset, and where its feed continues',
  description: 'They contain only what callers without a token see.',
  tags,
  response: {
    200: exactly({
      exports: Type.Array(
        exactly({
          ...described,
          description: Type.String(),
          url: Type.String({ description: 'URL of its manifest' }),
        }),
      ),
    }),
  },
}

const dataset = Type.String({
  maxLength: 300,
  examples: ['Event'],
  description: 'dataset of GET /exports',
})

const manifestOperation = {
  operationId: 'getExport',
  summary: 'The files of an export, and the offset at which its feed continues',
  description:
    'Load all files of one format, then follow feed from offset: no change is missing. Changes made during the export may be in both.',
  tags,
  params: Type.Object({ dataset }),
  response: {
    200: exactly({
      ...described,
      feed: Type.String({ description: 'URL of the feed' }),
      offset: Type.String({ description: 'Where the feed continues, read without parameters' }),
      licence: orNull(
        Type.String({ description: 'Licences of the records, the most frequent first' }),
      ),
      schema: Type.String({ description: 'Schema of a line' }),
      files: Type.Array(
        exactly({
          url: Type.String(),
          format: Type.Enum(['ndjson.gz', 'parquet'], {
            description:
              'Compressed lines with a message of the feed each, or a table of the same records',
          }),
          bytes: Type.Integer(),
          sha256: Type.String({ description: 'In hexadecimal digits' }),
          count: Type.Integer({ description: 'Records in this file' }),
        }),
      ),
    }),
    404: problem,
  },
}

const bytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })
const content = {
  'application/gzip': { schema: bytes },
  'application/vnd.apache.parquet': { schema: bytes },
}

const fileOperation = {
  operationId: 'getExportFile',
  summary: 'A file of an export; parts of it by Range',
  description:
    'The content of a URL never changes. The file is deleted a day after it was replaced.',
  tags,
  params: Type.Object({
    dataset,
    file: Type.String({ maxLength: 200, description: 'As in url of a manifest' }),
  }),
  response: {
    200: { description: 'The file', content },
    206: { description: 'The requested part', content },
    404: problem,
    412: problem,
    416: problem,
  },
}

type Deps = Pick<ExportDeps, 'following'> & {
  /** Undefined if this hub makes no exports. */
  readonly store: ExportDeps['store'] | undefined
  readonly publicUrl: string
}

/** Serves the exports at `/exports`. They are the same for all callers, whatever their rights. */
export const exportRoutes =
  (deps: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await deps.store?.register(app)
    app.get('/exports', { schema: exportsOperation }, async (request, reply) =>
      answerRead({ request, reply }, { run: async () => toAnswer(await describeAll(deps)) }),
    )
    app.get('/exports/:dataset/manifest.json', { schema: manifestOperation }, (request, reply) => {
      const { dataset } = request.params
      const run = async () => toAnswer(toManifest(deps, await findExport(deps, dataset)))
      return answerRead({ request, reply }, { run })
    })
    app.get('/exports/:dataset/:file', { schema: fileOperation }, (request, reply) =>
      sendFile(deps, { request, reply }, request.params),
    )
  }

function toAnswer(value: object) {
  const body = JSON.stringify(value)
  return { body, type: jsonType, etag: weakEtag([body]) }
}

async function loadList({ store }: Deps): Promise<ExportList> {
  return parseList(await store?.readList())
}

/**
 * Returns the exports that show what everybody can see now. After a rule has changed, the missing
 * ones follow soon.
 */
async function openExports(deps: Deps): Promise<readonly MadeExport[]> {
  const { store } = deps
  if (store === undefined) return []
  const { exports } = await loadList(deps)
  const feeds = await publicFeeds(deps.following)
  const readerships = new Map(feeds.map(({ feed, snapshot }) => [feed.name, snapshot.readership]))
  return exports.filter(({ dataset, readership }) => readerships.get(dataset) === readership)
}

async function describeAll(deps: Deps): Promise<object> {
  const exports = (await openExports(deps)).map(({ dataset, description, madeAt, count }) => {
    const url = `${addressOf(deps, dataset)}/manifest.json`
    return { dataset, description, url, madeAt, count }
  })
  return { exports: exports.sort((left, right) => (left.dataset < right.dataset ? -1 : 1)) }
}

function addressOf({ publicUrl }: Deps, dataset: string): string {
  return `${publicUrl}/exports/${encodeURIComponent(dataset)}`
}

/** Pointer to the schema of a message in the OpenAPI document. */
const messageSchema =
  'openapi.json#/paths/~1changes~1%7Bfeed%7D/get/responses/200/content/application~1json/schema/items'

function toManifest(deps: Deps, made: MadeExport): object {
  const { dataset, madeAt, offset, count, licence, files } = made
  return {
    dataset,
    feed: `${deps.publicUrl}/changes/${encodeURIComponent(dataset)}`,
    madeAt,
    offset,
    count,
    licence,
    schema: `${deps.publicUrl}/${messageSchema}`,
    files: files.map(({ name, ...file }) => ({
      url: `${addressOf(deps, dataset)}/${name}`,
      ...file,
    })),
  }
}

/** @throws AppError HUB-RTE-003 if there is no such export */
async function findExport(deps: Deps, dataset: string): Promise<MadeExport> {
  const exports = await openExports(deps)
  const found = exports.find((one) => one.dataset === dataset)
  if (found !== undefined) return found
  const names = exports.map((one) => one.dataset)
  throw new AppError('HUB-RTE-003', `There is no export ${JSON.stringify(dataset)}.`, {
    hint: hintFor(dataset, names, findFeed(deps, dataset)),
  })
}

function hintFor(dataset: string, names: readonly string[], feed: Feed | undefined): string {
  const address = `GET /changes/${encodeURIComponent(dataset)}?offset=-1`
  if (feed?.needsToken === true) {
    return `Exports contain what callers without a token see; this feed requires one: ${address}.`
  }
  if (feed !== undefined) return `Until there is one, read the feed from its start: ${address}.`
  const meant = nearest(dataset, names)
  return `${meant === undefined ? '' : `Did you mean ${meant}? `}GET /exports lists all exports.`
}

function findFeed({ following: { sources } }: Deps, dataset: string): Feed | undefined {
  return sources.flatMap(({ find }) => find(dataset) ?? [])[0]
}

/**
 * The content of a name never changes. Cached for only a day, because a file must not stay
 * available for long after it has been closed.
 */
const caching = 'public, max-age=86400, immutable'

async function sendFile(
  deps: Deps,
  exchange: Exchange,
  wanted: { readonly dataset: string; readonly file: string },
): Promise<FastifyReply> {
  const { store } = deps
  const file = await findFile(deps, wanted)
  if (store === undefined || file === undefined) {
    throw new AppError('HUB-RTE-003', `There is no file ${JSON.stringify(wanted.file)}.`, {
      hint: `It may have been replaced: GET /exports/${encodeURIComponent(wanted.dataset)}/manifest.json lists the current files.`,
    })
  }
  const { request, reply } = exchange
  const etag = `"${file.sha256}"`
  // If-Unmodified-Since is ignored, because files have no Last-Modified (RFC 9110 section 13.1.4).
  if (!matchesStrongly(request.headers['if-match'] ?? '*', etag)) throw anotherFile()
  void reply.headers({ 'cache-control': caching, etag }).type(contentTypes[file.format])
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  const condition = request.headers['if-range']
  const isMeant = condition === undefined || condition === etag
  const ranges = isMeant && !isBackwards(request.headers.range) ? 'allowed' : 'ignored'
  return store.send({ exchange, file, ranges })
}

/**
 * Reports whether a range ends before it starts, which makes it invalid (RFC 9110 section 14.1.1).
 */
function isBackwards(range = ''): boolean {
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
  return Number(last) < Number(first)
}

/**
 * Finds a file by name. Only listed names are served, so no other file of the store can be reached.
 */
async function findFile(
  deps: Deps,
  { dataset, file: name }: { readonly dataset: string; readonly file: string },
): Promise<ExportFile | undefined> {
  const feed = findFeed(deps, dataset)
  if (feed === undefined || feed.needsToken) return undefined
  const { readership } = snapshotOf(deps.following, feed)
  const { exports, retired } = await loadList(deps)
  const isOpen = (one: { readonly dataset: string; readonly readership: string }) =>
    one.dataset === dataset && one.readership === readership
  const files = [
    ...exports.filter(isOpen).flatMap((one) => one.files),
    ...retired.filter(isOpen).map((one) => one.file),
  ]
  return files.find((file) => file.name === name)
}
