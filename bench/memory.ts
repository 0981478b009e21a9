import { stopHub } from '../test/fixtures/hub-process.ts'
import { pairs } from './harness/compare-sides.ts'
import { ceiling } from './harness/bench.ts'
import { residentMegabytes } from './harness/resident-megabytes.ts'

/** Resident memory of a hub that has just become ready. A new hub is started for each value. */
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
