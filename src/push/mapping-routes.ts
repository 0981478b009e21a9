import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { changeAs, requirePrincipal, requireRole } from '../access/index.ts'
import type { DefinitionFault } from '../definitions/index.ts'
import { AppError } from '../errors/index.ts'
import { checkedBody, jsonType, readJsonBodies, readMoment } from '../http/index.ts'
import type { Database } from '../storage/index.ts'
import { definition } from './mappings/definition/definition.ts'
import type { LoadedMapping } from './mappings/definition/definition.ts'
import {
  addVersion,
  listMappings,
  listVersions,
  loadVersion,
  readStored,
} from './mappings/stored/index.ts'
import { countRejected } from './rejection.ts'
import type { MappingVersion, Sample, StoredSample } from './mappings/stored/index.ts'
import type { DraftTrials } from './mappings/try-mapping.ts'
import {
  exampleMapping,
  mappingOperations,
  mappingTexts,
  savedHint,
  savedMapping,
} from './mapping-schemas.ts'
import type { SavedMapping } from './mapping-schemas.ts'
import { streamOf } from './streams.ts'
import { differences } from './mappings/samples.ts'
import { problem } from '../lang/schemas.ts'
import { rejected } from './schemas.ts'

type Deps = {
  readonly database: Database
  readonly trials: DraftTrials
  readonly mappings: {
    /** Mappings from the mapping folder. They take precedence over stored ones. */
    readonly files: () => readonly LoadedMapping[]
    readonly stored: () => readonly LoadedMapping[]
    /** Makes this node use saved mappings immediately. */
    readonly refresh: () => Promise<void>
  }
}

const bodyLimit = 4_194_304

const path = '/mappings/:provider/:dataset'

/**
 * Registers the routes of mappings stored in the database. They need the role Mapping_Update or
 * ADMIN.
 */
export const storedMappingRoutes =
  (deps: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', demandRole)
    await app.register(readRoutes(deps))
    await app.register(writeRoutes(deps))
  }

/** Checks the role before the body is read. */
function demandRole(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  requireRole(request.principal, 'Mapping_Update', 'ADMIN')
  void reply.header('cache-control', 'no-store')
  done()
}

const readRoutes =
  ({ database, mappings }: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { list, show, showVersion } = mappingOperations
    app.get('/mappings', { schema: list }, (_request, reply) =>
      sendJson(reply, { mappings: listMappings(mappings.files(), mappings.stored()) }),
    )
    app.get(path, { schema: show }, async (request, reply) => {
      const stream = streamOf(request.params)
      const current = await loadVersion(database, stream)
      return sendJson(reply, {
        current: current === undefined ? null : toShown(current),
        versions: await listVersions(database, stream),
      })
    })
    app.get(`${path}/versions/:number`, { schema: showVersion }, async (request, reply) => {
      const stream = streamOf(request.params)
      return sendJson(reply, toShown(await findVersion(database, stream, request.params.number)))
    })
    return Promise.resolve()
  }

const writeRoutes =
  (deps: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    readJsonBodies(app)
    const { save, restore, remove } = mappingOperations
    app.put(path, { schema: save, bodyLimit }, async (request, reply) => {
      const stream = streamOf(request.params)
      const sent = checkedBody(savedMapping, request.body, savedHint)
      assertSamples(sent)
      const checked = await checkMapping(deps, stream, sent)
      const number =
        request.query.dryrun === true ? null : await saveVersion(deps, request, checked.version)
      return sendJson(reply, { number, samples: checked.samples })
    })
    app.post(`${path}/versions/:number/restore`, { schema: restore }, async (request, reply) => {
      const stream = streamOf(request.params)
      const found = await findVersion(deps.database, stream, request.params.number)
      const { text, files, samples } = found
      if (text === null) throw noSuchMapping(stream)
      const checked = await checkMapping(deps, stream, {
        mapping: text,
        files,
        samples: [...samples],
      })
      const number = await saveVersion(deps, request, checked.version)
      return sendJson(reply, { number, samples: checked.samples })
    })
    app.delete(path, { schema: remove }, async (request, reply) => {
      const stream = streamOf(request.params)
      const { text } = await findVersion(deps.database, stream)
      if (text === null) throw noSuchMapping(stream)
      await saveVersion(deps, request, { stream, text: null, files: {}, samples: [] })
      return reply.code(204).send(null)
    })
    return Promise.resolve()
  }

type Unsaved = Pick<MappingVersion, 'stream' | 'text' | 'files' | 'samples'>

/** Not for restored versions, which may have been saved before this check existed. */
function assertSamples({ samples = [] }: SavedMapping): void {
  samples.forEach((one, index) => {
    assertBase64(one, `/samples/${String(index)}/payload`)
  })
}

/**
 * Checks a mapping as if it were a file, and tries it on its samples.
 * @throws AppError HUB-BDY-001 with its faults, HUB-BDY-007 if a file reads the stream
 */
async function checkMapping(deps: Deps, stream: string, sent: SavedMapping) {
  const file = deps.mappings.files().find((one) => one.stream === stream)
  if (file !== undefined) throw readByFile(file)
  const { mapping: text, files = {}, samples = [] } = sent
  const read = await readStored({ stream, text, files })
  if (read.kind === 'wrong') throw faulty(read.faults)
  const before: readonly StoredSample[] = (await loadVersion(deps.database, stream))?.samples ?? []
  const checked = await checkSamples({ text, files, samples, before }, deps.trials)
  const version: Unsaved = { stream, text, files, samples: checked.map((one) => one.sample) }
  return { version, samples: checked.map(({ sample, ...one }) => ({ name: sample.name, ...one })) }
}

/** Saves a version in the name of the caller, for the audit log, and returns its number. */
async function saveVersion(deps: Deps, request: FastifyRequest, version: Unsaved): Promise<number> {
  const { name, subject, client } = requirePrincipal(request.principal)
  const actor = { name, subject, client, request: request.id }
  const number = await changeAs(deps.database, actor, (tx) =>
    addVersion(tx, { ...version, savedBy: name }),
  )
  await deps.mappings.refresh()
  return number
}

/**
 * Loads a version, or the current one without a number. The number is not validated yet.
 * @throws AppError HUB-RTE-003 if there is no such version
 */
async function findVersion(database: Database, stream: string, number?: number) {
  if (number !== undefined && !isVersion(String(number))) throw noSuchMapping(stream)
  const found = await loadVersion(database, stream, number)
  if (found === undefined) throw noSuchMapping(stream)
  return found
}

/** Reports whether a text is a version number that fits into PostgreSQL's `integer`. */
function isVersion(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647
}

function toShown({ text: mapping, samples, ...version }: MappingVersion) {
  return { ...version, mapping, samples: samples.map(({ result: _, ...sample }) => sample) }
}

function noSuchMapping(stream: string): AppError {
  return new AppError('HUB-RTE-003', `${stream} has no such stored mapping.`, {
    hint: 'GET /mappings lists all mappings. PUT /mappings/{provider}/{dataset} saves one.',
  })
}

function readByFile({ name, stream }: LoadedMapping): AppError {
  return new AppError('HUB-BDY-007', `The file of the mapping ${name} reads ${stream}.`, {
    hint: 'Change that file, or remove it from HUB_MAPPINGS to keep the mapping here.',
  })
}

function faulty(faults: readonly DefinitionFault[]): AppError {
  return new AppError('HUB-BDY-001', 'The mapping has faults.', {
    issues: faults.map(({ file, line, column = 1, reason }) => ({
      pointer: '/mapping',
      detail: line === undefined ? reason : `${file}:${String(line)}:${String(column)}: ${reason}`,
    })),
    hint: 'POST /mappings/try tries a mapping without storing it.',
  })
}

function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.type(jsonType).send(JSON.stringify(value))
}

/**
 * Result of a mapping for a sample, and its differences from the result of the previous version.
 */
type CheckedSample = {
  readonly sample: StoredSample
  readonly items: number
  readonly rejected: number
  /** Differences as readable lines. Empty if the previous version had no such sample. */
  readonly differences: readonly string[]
}

type Checking = {
  readonly text: string
  readonly files: Readonly<Record<string, string>>
  readonly samples: readonly Sample[]
  readonly before: readonly StoredSample[]
}

/**
 * Tries a mapping without faults on its samples, one after another.
 * @throws AppError HUB-SRV-007 if too many trials are waiting
 */
async function checkSamples(
  { text, files, samples, before }: Checking,
  trials: Pick<DraftTrials, 'try'>,
): Promise<readonly CheckedSample[]> {
  const checked: CheckedSample[] = []
  for (const one of samples) {
    const { payload, encoding = 'utf8', contentType = null } = one
    const pointer = `/samples/${String(checked.length)}/received`
    const received = readMoment(one.received, { pointer }) ?? new Date('2026-01-01T00:00:00Z')
    const body = Buffer.from(payload, encoding)
    const made = await trials.try({ text, files, body, contentType, received })
    const result = plain({ objects: made.objects, rejected: made.rejected })
    const old = before.find(({ name, payload: same }) => name === one.name && same === payload)
    checked.push({
      sample: { ...one, result },
      items: made.items,
      rejected: countRejected(made.rejected),
      differences: old === undefined ? [] : differences(old.result, result, ''),
    })
  }
  return checked
}

/** Returns a result as the database would return it: without undefined fields. */
function plain(value: StoredSample['result']): StoredSample['result'] {
  return Parse(resultShape, JSON.parse(JSON.stringify(value)))
}

const resultShape = Type.Object({ objects: Type.Unknown(), rejected: Type.Unknown() })

type TryDeps = { readonly trials: DraftTrials; readonly now: () => Date }

/**
 * Request body of a trial. The sizes are limited because the hub itself parses the mapping and its
 * files, before another process evaluates them, and must not block other requests for long.
 */
const draft = Type.Object(
  {
    ...mappingTexts,
    payload: Type.String({ description: 'A body as the provider pushes it' }),
    encoding: Type.Optional(
      Type.Enum(['utf8', 'base64'], { description: 'How payload is written; default: utf8' }),
    ),
    contentType: Type.Optional(Type.String({ maxLength: 200 })),
    received: Type.Optional(
      Type.String({ format: 'date-time', description: 'When it arrives; default: now' }),
    ),
  },
  {
    examples: [
      {
        mapping: exampleMapping,
        payload: '[{"id": "bench-1", "name": "Bench at the lake", "lon": 11.26, "lat": 46.42}]',
      },
    ],
  },
)

const draftHint = 'It is an object with mapping (the text of a mapping.yaml) and payload.'

export const tryOperation = {
  operationId: 'tryMapping',
  summary: 'Try a mapping on a payload, without storing anything',
  description:
    'Needs a token, but no role. The mapping may take 5 seconds, the payload may have 2 MiB, and the response has at most 500 items.',
  tags: ['Push'],
  security: [{ bearer: [] }],
  body: draft,
  response: {
    200: Type.Object({
      faults: Type.Array(
        Type.Object({
          file: Type.String(),
          line: Type.Optional(Type.Integer({ description: 'From 1' })),
          column: Type.Optional(Type.Integer({ description: 'From 1' })),
          reason: Type.String(),
        }),
        { description: 'Faults of the mapping; if there are any, it is not evaluated' },
      ),
      mapping: Type.Union([
        Type.Object({ version: Type.String(), stream: Type.String() }),
        Type.Null(),
      ]),
      items: Type.Integer({ description: 'Items that would be stored' }),
      objects: Type.Array(Type.Unknown(), {
        description: 'The objects that it produces, in the push formats, without rejected ones',
      }),
      rejected,
    }),
    400: problem,
    401: problem,
    503: problem,
  },
}

const schemaOperation = {
  operationId: 'getMappingSchema',
  summary: 'The fields of a mapping.yaml, as JSON Schema',
  description: 'For completion and checks in editors.',
  tags: ['Push'],
  response: {
    200: {
      description: 'JSON Schema 2020-12',
      content: { 'application/schema+json': { schema: Type.Unsafe<string>({ type: 'object' }) } },
    },
  },
}

const schemaText = JSON.stringify({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'mapping.yaml',
  ...definition,
})

/** Registers the routes for writing mappings in the browser: their JSON Schema and trials. */
export const mappingRoutes =
  ({ trials, now }: TryDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    readJsonBodies(app)
    app.get('/mappings/schema', { schema: schemaOperation }, (_request, reply) => {
      void reply.header('cache-control', 'public, max-age=3600').type('application/schema+json')
      return schemaText
    })
    const guarded = { schema: tryOperation, bodyLimit, onRequest: demandToken }
    app.post('/mappings/try', guarded, async (request, reply) => {
      const sent = checkedBody(draft, request.body, draftHint)
      const { mapping: text, files = {}, payload, encoding = 'utf8' } = sent
      assertBase64(sent, '/payload')
      const body = Buffer.from(payload, encoding)
      const received = readMoment(sent.received, { pointer: '/received' }) ?? now()
      const contentType = sent.contentType ?? null
      const outcome = await trials.try({ text, files, body, contentType, received })
      void reply.header('cache-control', 'no-store').type(jsonType)
      return reply.send(JSON.stringify(outcome))
    })
    return Promise.resolve()
  }

/** Checks the token before the body is read. */
function demandToken(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  requirePrincipal(request.principal)
  done()
}

/**
 * Asserts that a payload in base64 is valid, because Node.js skips whatever it cannot decode.
 * @throws AppError HUB-BDY-001
 */
function assertBase64({ payload, encoding }: Payload, pointer: string): void {
  if (encoding !== 'base64') return
  if (Buffer.from(payload, 'base64').toString('base64') === payload) return
  throw new AppError('HUB-BDY-001', `${pointer} is not valid base64.`, {
    issues: [{ pointer, detail: 'is not valid base64', expected: [base64] }],
  })
}

type Payload = Pick<Sample, 'payload' | 'encoding'>

const base64 = 'RFC 4648, section 4, with padding and without line breaks'
