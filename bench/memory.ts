import { readFile } from 'node:fs/promises'
import { stopHub } from '../test/fixtures/hub-process.ts'
import type { HubProcess } from '../test/fixtures/hub-process.ts'
import { pairs } from './harness/compare-sides.ts'
import { ceiling } from './harness/bench.ts'
import { readNumber } from './harness/run-program.ts'

/** Resident memory of a hub that has just become ready, started anew each time. */
export const memory = ceiling({
  name: 'memory',
  title: 'Resident memory after start',
  goal: 250,
  unit: 'MB',
  measure: async (environment) => {
    const values: number[] = []
    for (let start = 0; start < pairs; start++) {
      const hub = await environment.startHub()
      values.push(await residentMegabytes(hub))
      await stopHub(hub)
    }
    return { values, detail: `${String(pairs)} starts; the largest of them beside the median` }
  },
})

/** `VmRSS` of proc(5), in units of 1024 bytes. */
async function residentMegabytes(hub: HubProcess): Promise<number> {
  const status = await readFile(`/proc/${String(hub.process.pid)}/status`, 'utf8')
  return (readNumber(status, /VmRSS:\s+(\d+) kB/) * 1024) / 1e6
}
