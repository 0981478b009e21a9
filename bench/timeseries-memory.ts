import { loadTimeseriesRegion, series } from './fixtures/timeseries-region.ts'
import { ceiling } from './harness/bench.ts'
import { growthOf, sizesWhileReading } from './harness/resident-megabytes.ts'

const path = '/v2/flat/*/*/2021-04-10/2021-04-17?limit=-1&select=scode,tname,mvalidtime,mvalue'
const bytes = series * 168 * 100

/** How far memory grows while a million values are read at full speed. */
export const timeseriesMemory = ceiling({
  name: 'timeseries-memory',
  title: 'Growth of resident memory during the second stream of a million values',
  goal: 30,
  unit: 'MB',
  measure: async (environment) => {
    await loadTimeseriesRegion(environment)
    const { sizes } = await sizesWhileReading(environment, { path, bytes })
    const { growth, range } = growthOf(sizes)
    return { values: [growth], detail: `${range}; the first stream had passed` }
  },
})
