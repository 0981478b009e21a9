import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadMappings } from '../src/push/index.ts'
import type { LoadedMapping } from '../src/push/index.ts'
import { compileMapping } from '../src/push/mappings/evaluate/compile-mapping.ts'
import type { CompiledMapping } from '../src/push/mappings/evaluate/compile-mapping.ts'
import { evaluateMessage } from '../src/push/mappings/evaluate/evaluate-message.ts'
import { createMapper } from '../src/push/mappings/mapper.ts'
import { comparison } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'

const items = 10_000
const wanted = 10_000
const rounds = 3

/** The format of a provider of parking spaces: texts, a local time, and a code to look up. */
const mapping = `version: 1
stream: bench/parking
tables:
  states: { values: { "0": closed, "1": open }, default: unknown }
times: { zone: Europe/Rome, formats: ["dd/MM/yyyy HH:mm"] }
ids: { station: { prefix: "bench:" } }
items: sites
each: |
  { "kind": "measurements", "stationType": "ParkingStation", "period": 300, "items": [
    [$id("station", code), "free", $time(at), $num(free)],
    [$id("station", code), "state", $time(at), $lookup("states", state)]
  ] }
`

const context = {
  ...{ stream: 'bench/parking', provider: 'bench', dataset: 'parking', contentType: null },
  received: '2026-11-20T10:00:00.000Z',
}

function body(): Buffer {
  const sites = Array.from({ length: items }, (_, index) => ({
    ...{ code: index, name: `Site ${String(index)}`, at: '20/11/2026 10:15' },
    ...{ free: `${String(index % 500)},5`, state: index % 3, capacity: '500' },
  }))
  return Buffer.from(JSON.stringify({ sites }))
}

async function load() {
  const folder = await mkdtemp(join(tmpdir(), 'hub-bench-'))
  await writeFile(join(folder, 'parking.yaml'), mapping)
  const mappings = await loadMappings(folder)
  await rm(folder, { recursive: true })
  return mappings
}

type Prepared = {
  readonly compiled: CompiledMapping
  readonly mappings: readonly LoadedMapping[]
  readonly sent: Buffer
  readonly log: { readonly warn: (context: object, text: string) => void }
}

async function prepare({ log }: Pick<Environment, 'log'>): Promise<Prepared> {
  const mappings = await load()
  const [first] = mappings
  if (first === undefined) throw new Error('There is no mapping')
  const warn = (_context: object, text: string) => {
    log(text)
  }
  return { compiled: compileMapping(first), mappings, sent: body(), log: { warn } }
}

/** Decodes and evaluates the items and writes them as JSON, in this process. */
async function evaluate({ compiled, sent }: Prepared): Promise<void> {
  const work = { body: sent, context, from: 0, isFirst: true, isCareful: false }
  const limits = { maxBytes: 100_000_000, clock: () => performance.now() }
  let taken = 0
  for await (const slice of evaluateMessage(compiled, work, limits)) {
    if (slice.rejected.length > 0) throw new Error(JSON.stringify(slice.rejected[0]))
    taken = slice.next
  }
  if (taken !== items) throw new Error(`${String(taken)} of ${String(items)} items were taken.`)
}

/** Items per second of processor time, whatever else the machine does. */
export const pushMapping = comparison({
  name: 'push-mapping',
  title: 'Items through a mapping, a second of one core ÷ 10,000',
  goal: 1,
  unit: 'items/s',
  prepare,
  ours: async (prepared) => {
    const before = process.cpuUsage()
    for (let round = 0; round < rounds; round++) await evaluate(prepared)
    const { user, system } = process.cpuUsage(before)
    return (rounds * items * 1_000_000) / (user + system)
  },
  limit: () => Promise.resolve(wanted),
})

/**
 * Items sent to the process that evaluates mappings and back, compared with evaluating them in this
 * process.
 */
export const pushMappingProcess = comparison({
  name: 'push-mapping-process',
  title: 'Items through the process of mappings ÷ evaluated without it',
  goal: 0.6,
  unit: 'items/s',
  prepare,
  ours: async ({ mappings, sent, log }) => {
    const mapper = createMapper({ mappings, log, memory: 256, maxBytes: 100_000_000 })
    const message = { body: sent, stream: 'bench/parking', received: new Date(), contentType: null }
    try {
      await mapper.map(message)
      return await rateOf(async () => {
        const { objects, rejected } = await mapper.map(message)
        if (objects.length !== items) throw new Error(JSON.stringify(rejected[0]))
      })
    } finally {
      await mapper.close()
    }
  },
  limit: async (prepared) => {
    await evaluate(prepared)
    return rateOf(() => evaluate(prepared))
  },
})

async function rateOf(take: () => Promise<void>): Promise<number> {
  const started = performance.now()
  for (let round = 0; round < rounds; round++) await take()
  return (rounds * items * 1000) / (performance.now() - started)
}
