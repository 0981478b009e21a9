/** The thread that processes pushed messages. `compose-push.ts` starts it. */
import { MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import { every } from '../async/index.ts'
import { entitiesOf, toNaming } from '../content/index.ts'
import { makeLog } from '../observe/index.ts'
import {
  canonicalKinds,
  canonicalPipeline,
  loadedMapping,
  mappingsOf,
  runThread,
} from '../push/index.ts'
import { openDatabase, portOf, relayedDatabase, sharedClock } from '../storage/index.ts'

const threadTask = Type.Object({
  prefix: Type.String(),
  profile: Type.Union([Type.Literal('strict'), Type.Literal('compatible')]),
  /** Messages, or groups of small ones, that are processed at a time. */
  atOnce: Type.Integer(),
  /** Mappings of streams at the start of this thread. */
  mappings: Type.Array(loadedMapping),
  /** Memory limit of the process that evaluates mappings, in mebibytes. */
  mappingMemory: Type.Integer(),
  /** Maximum size of a message in bytes, including everything unpacked from it. */
  bodyLimit: Type.Integer(),
  /** Milliseconds for which values wait for unknown stations. */
  patience: Type.Integer(),
  level: Type.String(),
  config: Type.Object({
    DATABASE_URL: Type.Optional(Type.String()),
    HUB_DATABASE_CONNECTIONS: Type.Integer(),
    HUB_DATABASE_POOLER: Type.Enum(['none', 'transaction']),
    HUB_STATEMENT_TIMEOUT: Type.Integer(),
    HUB_DATA_DIR: Type.String(),
  }),
})

export type ThreadTask = Static<typeof threadTask>

const given: unknown = workerData
const data = typeof given === 'object' && given !== null ? given : {}
const task = Parse(threadTask, 'task' in data ? data.task : undefined)
// Port to the database of the hub, if the thread borrows it.
const port = 'database' in data ? data.database : undefined
const log = makeLog(task.level)

const clock = () => new Date()

const database =
  port instanceof MessagePort
    ? relayedDatabase(portOf(port), 'embedded')
    : await openDatabase({ config: task.config, log, platform: process.platform })

if (parentPort !== null) {
  const entities = entitiesOf(toNaming(task.prefix), task.profile)
  const kinds = canonicalKinds(entities)
  const { mappings, mappingMemory: memory, bodyLimit: maxBytes } = task
  await runThread({
    port: parentPort,
    database,
    pipelines: [canonicalPipeline(kinds)],
    entities,
    ...(mappings.length === 0
      ? {}
      : { mappings: mappingsOf({ mappings, memory, maxBytes, log }, kinds) }),
    now: await sharedClock({ database, now: clock, machine: clock, every }),
    log,
    atOnce: task.atOnce,
    patience: task.patience,
  })
  await database.close()
  parentPort.close()
  if (port instanceof MessagePort) port.close()
}
