import { setTimeout as pause } from 'node:timers/promises'
import { dataType, hour, loadTimeseriesRegion, stationTypes } from './fixtures/timeseries-region.ts'
import { ceiling } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'

const rounds = 10
const station = 'station-0700'
/** After all values of the region, in a separate month. */
const later = Date.UTC(2021, 5, 1)

/** Time from the 200 of a push until its value is the latest one for readers. */
export const timeseriesVisible = ceiling({
  name: 'timeseries-visible',
  title: 'Time from the 200 of a push until its value is the latest',
  goal: 1000,
  unit: 'ms',
  measure: async (environment) => {
    await loadTimeseriesRegion(environment)
    const token = await environment.hub.token('demo-provider')
    const values: number[] = []
    for (let round = 0; round < rounds; round++) {
      values.push(await millisecondsToAppear(environment, token, round))
    }
    return { values, detail: `${String(rounds)} values one after the other` }
  },
})

async function millisecondsToAppear(
  { hub }: Environment,
  token: string,
  round: number,
): Promise<number> {
  const time = new Date(later + round * hour).toISOString()
  const items = [[station, dataType, time, round]]
  const message = { kind: 'measurements', stationType: stationTypes.many, period: 3600, items }
  const { status } = await fetch(`${hub.url}/push/demo/bench`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(message),
  })
  if (status !== 200) throw new Error(`A push was answered ${String(status)}.`)
  const started = performance.now()
  const shown = `${time.slice(0, 10)} ${time.slice(11, 23)}`
  const address = `${hub.url}/v2/flat/${stationTypes.many}/${dataType}/latest?where=scode.eq.%22${station}%22`
  for (;;) {
    const text = await (await fetch(address)).text()
    if (text.includes(shown)) return performance.now() - started
    await pause(5)
  }
}
