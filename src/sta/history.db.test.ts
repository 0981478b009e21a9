import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { fillWithPlaces } from '../../test/fixtures/near-places.ts'
import { addValues } from '../../test/fixtures/near-stations.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import { folderStore } from '../exports/index.ts'
import { sql } from '../sql/index.ts'
import { openColdMonths } from '../timeseries/index.ts'
import { staRoutes } from './index.ts'

const option = (name: string, value: string) => `$${name}=${encodeURIComponent(value)}`
const tenDays = 'phenomenonTime ge 2026-10-05T00:00:00Z and phenomenonTime lt 2026-10-15T00:00:00Z'
const newest = 'Observations($top=1;$orderby=phenomenonTime desc)'

describeWithDatabase('SensorThings', (database) => {
  it('returns values of months in files, and restores only the series that it needs', async () => {
    await fillWithPlaces(database())
    const days = ['01', '04', '08', '09', '10', '20']
    for (const code of ['P1', 'P2']) {
      const values = days.map(
        (day, at) => [code, 'old', `2026-10-${day}T00:00:00.0005Z`, at] as const,
      )
      const november = ['02', '03'].map(
        (day) => [code, 'old', `2026-11-${day}T00:00:00Z`, 7] as const,
      )
      await addValues(database(), 'Parking', code === 'P1' ? [...values, ...november] : values)
    }
    const ids = await database().query<{ id: number }>(sql`
      select series.id from series join data_type on data_type.id = data_type_id
      where data_type.name = 'old' order by series.id`)
    const [live = 0, ended = 0] = ids.map(({ id }) => id)
    const milliseconds = Date.parse('2026-10-04T00:00:00Z') - Date.parse('0001-01-01T00:00:00Z')
    const one = `${String(live)}${String(milliseconds).padStart(15, '0')}.5`
    const start = '2026-10-01T00:00:00Z'
    const requests = [
      [`/Observations?${option('filter', `id eq '${one}'`)}`, [live]],
      [`/Datastreams(${String(ended)})/Observations?$count=true`, [ended]],
      [`/Observations?${option('filter', tenDays)}`, [live, ended]],
      [`/Datastreams?${option('expand', newest)}`, [ended]],
      [`/Datastreams?${option('filter', 'Observations/result eq 2')}`, [live, ended]],
      [`/Datastreams(${String(live)})`, []],
      [`/Observations?${option('filter', 'phenomenonTime ge 2026-11-01T00:00:00Z')}`, []],
      [`/Observations?${option('filter', 'phenomenonTime lt 2026-10-01T00:00:00Z')}`, []],
      [`/Observations?${option('filter', `phenomenonTime le ${start}`)}`, [live, ended]],
      [`/Observations?${option('filter', `phenomenonTime eq ${start}`)}`, [live, ended]],
    ] as const
    const folder = await mkdtemp(join(tmpdir(), 'hub-cold-test-'))
    const open = () => openColdMonths({ database: database(), store: folderStore(folder) })
    const ask = async (path: string) => {
      const deps = { database: database(), cold: open(), publicUrl, visibilityOf }
      const app = await createTestApp(staRoutes(deps))
      const { statusCode, body } = await app.inject({ url: `/sta/v1.1${path}` })
      await app.close()
      expect(statusCode, body).toBe(200)
      return body
    }
    const known = await Promise.all(requests.map(([path]) => ask(path)))
    await open().freeze('2026-10')
    for (const [place, [path, series]] of requests.entries()) {
      await database().execute(sql`update cold_series set used = used - interval '1 day'`)
      await open().evict()
      expect(await ask(path)).toBe(known[place])
      const back = await database().query<{ id: number }>(sql`
        select distinct series_id as id from measurement where valid_time < '2026-11-01' order by 1`)
      expect(back.map(({ id }) => id)).toEqual(series)
    }
    await rm(folder, { recursive: true })
  })
})
