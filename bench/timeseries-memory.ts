import { setTimeout as pause } from 'node:timers/promises'
import { stopHub } from '../test/fixtures/hub-process.ts'
import { loadTimeseriesRegion, series } from './fixtures/timeseries-region.ts'
import { ceiling } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'
import { residentMegabytes } from './harness/resident-megabytes.ts'
import { secondsToRead } from './harness/seconds-to-read.ts'

const path = '/v2/flat/*/*/2021-04-10/2021-04-17?limit=-1&select=scode,tname,mvalidtime,mvalue'
const bytes = series * 168 * 100

/** How far memory goes while a million values are read as fast as they come. */
export const timeseriesMemory = ceiling({
  name: 'timeseries-memory',
  title: 'Growth of resident memory during the second stream of a million values',
  goal: 30,
  unit: 'MB',
  measure: async (environment) => {
    await loadTimeseriesRegion(environment)
    const sizes = await sizesDuring(environment)
    const [start = 0] = sizes
    const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
    const range = `${least.toFixed(0)} to ${most.toFixed(0)} MB`
    return { values: [Math.max(0, most - start)], detail: `${range}; the first stream had passed` }
  },
})

async function sizesDuring({ startHub }: Environment): Promise<readonly number[]> {
  const hub = await startHub()
  try {
    await secondsToRead(`${hub.url}${path}`, bytes)
    const sizes = [await residentMegabytes(hub)]
    const reading = { isOver: false }
    const read = secondsToRead(`${hub.url}${path}`, bytes).finally(() => {
      reading.isOver = true
    })
    while (!reading.isOver) {
      sizes.push(await residentMegabytes(hub))
      await pause(100)
    }
    await read
    return sizes
  } finally {
    await stopHub(hub)
  }
}
