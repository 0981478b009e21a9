import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { sql } from '../src/sql/index.ts'
import type { HubProcess } from '../test/fixtures/hub-process.ts'
import { stopHub } from '../test/fixtures/hub-process.ts'
import { ceiling } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'
import { residentMegabytes } from './harness/resident-megabytes.ts'

const accepted = Type.Object({ id: Type.String() })
const receipt = Type.Object({ state: Type.String() })

const bodyBytes = 10_485_760
const atOnce = 8
const runs = 3

/**
 * Peak memory above that of the idle hub while large bodies arrive at the same time and are
 * processed.
 */
export const pushLarge = ceiling({
  name: 'push-large',
  title: `Peak memory for ${String(atOnce)} bodies of 10 MiB at once ÷ their size`,
  goal: 300,
  unit: '%',
  measure: async (environment) => {
    const values: number[] = []
    for (let run = 0; run < runs; run++) {
      const names = Array.from({ length: atOnce }, (_, body) => `${String(run)}-${String(body)}`)
      values.push(await peakOf(environment, names.map(largeBody)))
      environment.log(`push-large: ${String(values.at(-1))} %`)
    }
    return { values, detail: `${String(runs)} hubs; the largest beside the median` }
  },
})

/** Creates a body of as many 5 KB records as fit. No record is in two bodies. */
function largeBody(name: string): Buffer {
  const text = 'A text that is neither short nor long. '.repeat(125)
  const item = (index: number) => ({ Id: `${name}-${String(index)}`, Description: { en: text } })
  const count = Math.floor(bodyBytes / (JSON.stringify(item(1_000)).length + 1)) - 1
  const items = Array.from({ length: count }, (_, index) => item(index))
  return Buffer.from(JSON.stringify({ kind: 'content', entity: 'Tag', items }))
}

async function peakOf(environment: Environment, bodies: readonly Buffer[]): Promise<number> {
  await environment.store.database.execute(sql`truncate message`)
  const hub = await environment.startHub()
  const token = await hub.token('demo-provider')
  const before = await residentMegabytes(hub)
  const watch = watchMemory(hub)
  const addresses = await Promise.all(bodies.map((body) => push(hub, token, body)))
  for (const address of addresses) await untilVisible(address, token)
  const peak = await watch.stop()
  await stopHub(hub)
  const sent = bodies.reduce((sum, body) => sum + body.length, 0)
  return (100 * (peak - before)) / (sent / 1e6)
}

function watchMemory(hub: HubProcess) {
  let peak = 0
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) {
      peak = Math.max(peak, await residentMegabytes(hub))
      await pause(10)
    }
  })()
  return {
    stop: async () => {
      over.abort()
      await watching
      return peak
    },
  }
}

async function push(hub: HubProcess, token: string, body: Buffer): Promise<string> {
  const address = `${hub.url}/push/demo/large`
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: new Uint8Array(body),
  })
  if (response.status !== 200) throw new Error(`A push is answered ${response.status}.`)
  return `${address}/${Parse(accepted, await response.json()).id}`
}

async function untilVisible(address: string, token: string): Promise<void> {
  for (;;) {
    const headers = { authorization: `Bearer ${token}` }
    const { state } = Parse(receipt, await (await fetch(address, { headers })).json())
    if (state === 'visible') return
    if (state === 'dead' || state === 'rejected') throw new Error(`A message is ${state}.`)
    await pause(50)
  }
}
