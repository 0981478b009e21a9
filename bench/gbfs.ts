import { setTimeout as pause } from 'node:timers/promises'
import { bicyclesAt, loadSharedBicycles } from './fixtures/shared-bicycles.ts'
import { ceiling, comparison } from './harness/bench.ts'
import type { Bench } from './harness/bench.ts'
import { onCoresOfTheirOwn } from './harness/cores.ts'
import type { Environment } from './harness/environment.ts'
import { httpLoad } from './harness/http-load.ts'
import { startNginx } from './harness/nginx.ts'

/** The load generator needs a number in the URL; the only one here is that of the version. */
const file = { path: '/gbfs/demo-bikes/', low: 3, high: 3, suffix: '.0/station_status.json' }
const address = '/gbfs/demo-bikes/3.0/station_status.json'

async function readStatus({ hub, log }: Environment): Promise<Buffer> {
  const response = await fetch(`${hub.url}${address}`, {
    headers: { 'accept-encoding': 'identity' },
  })
  if (response.status !== 200) throw new Error(`${address} answers ${String(response.status)}.`)
  const bytes = Buffer.from(await response.arrayBuffer())
  log(`The file has ${bytes.length.toLocaleString('en')} bytes.`)
  return bytes
}

/** The bytes of the file from the hub and from nginx, which run on the same core in turn. */
export const gbfsStatus: Bench = {
  name: 'gbfs-status',
  run: async (environment) => {
    await loadSharedBicycles(environment)
    const { hub } = environment
    const bytes = await readStatus(environment)
    const contentType = 'application/json; charset=utf-8'
    const nginx = await startNginx({ files: { [address]: bytes }, contentType, core: 0 })
    const { run } = comparison({
      name: 'gbfs-status',
      title: 'GBFS station_status of 1,000 stations ÷ nginx',
      goal: 0.5,
      unit: 'answers/s',
      prepare: () => Promise.resolve(),
      ours: () => httpLoad({ url: hub.url, ...file }),
      limit: () => httpLoad({ url: nginx.url, ...file }),
    })
    try {
      return await onCoresOfTheirOwn(hub.process.pid, () => run(environment))
    } finally {
      await nginx.stop()
    }
  },
}

const rounds = 20

/** Measured while the same file is requested as often as the hub can serve it. */
export const gbfsDelay = ceiling({
  name: 'gbfs-delay',
  title: 'From the 200 of a push to the GBFS station_status that has it, under load',
  goal: 1000,
  unit: 'ms',
  measure: async (environment) => {
    await loadSharedBicycles(environment)
    const { hub } = environment
    const token = await hub.token('demo-provider')
    // The very first push starts the thread that processes messages, so it is not counted.
    await waitFor(environment, { token, free: rounds })
    const ended = new AbortController()
    const load = loadUntil(ended.signal, environment)
    const values: number[] = []
    for (let round = 1; round <= rounds; round++) {
      const free = round % 7
      values.push(await waitFor(environment, { token, free }))
    }
    ended.abort()
    return { values, detail: `${String(Math.round(await load))} answers/s meanwhile` }
  },
})

/** @returns milliseconds from the response to a push until the file contains it */
async function waitFor(environment: Environment, pushed: Push): Promise<number> {
  const acknowledged = await push(environment, pushed)
  while ((await freeAtFirst(environment)) !== pushed.free) await pause(5)
  return performance.now() - acknowledged
}

async function loadUntil(ended: AbortSignal, { hub }: Environment): Promise<number> {
  let answers = 0
  while (!ended.aborted) answers = await httpLoad({ url: hub.url, ...file })
  return answers
}

const status = /"station_id":"bench-0000","num_vehicles_available":(\d+)/

async function freeAtFirst({ hub }: Environment): Promise<number> {
  const response = await fetch(`${hub.url}${address}`)
  return Number(status.exec(await response.text())?.[1])
}

type Push = { readonly token: string; readonly free: number }

/** @returns the time of the acknowledgement */
async function push({ hub }: Environment, { token, free }: Push): Promise<number> {
  const response = await fetch(`${hub.url}/push/demo/bicycles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(bicyclesAt([[0, free]])),
  })
  const acknowledged = performance.now()
  if (response.status !== 200) throw new Error(`A push is answered ${String(response.status)}.`)
  await response.arrayBuffer()
  return acknowledged
}
