import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { storeContent } from '../../../test/fixtures/content-app.ts'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { addStations, addValues, measure } from '../../../test/fixtures/near-stations.ts'
import { matchStations } from '../../timeseries/index.ts'
import { entitiesOf } from '../entities/index.ts'
import { loadChunk, loadEverything } from '../list/open-stream.ts'
import { loadPage, loadTotal } from '../list/load-page.ts'
import { planList } from '../list/plan.ts'
import type { ListPlan } from '../list/plan.ts'
import { toNaming } from '../naming.ts'

/** Numbers from 0 to 1, the same in every run. */
const fractions = (function* () {
  for (let index = 0; ; index++) {
    yield (
      createHash('sha256')
        .update(`near ${String(index)}`)
        .digest()
        .readUInt32BE() /
      2 ** 32
    )
  }
})()
const fraction = () => fractions.next().value

/** Returns a position in an area of about 7 by 11 km. */
const somewhere = () => [11 + fraction() / 10, 46.5 + fraction() / 10] as const

const records = Array.from({ length: 300 }, (_, index) => ({
  id: `p${String(index).padStart(3, '0')}`,
  position: somewhere(),
}))
const stations = Array.from({ length: 60 }, (_, index) => ({
  code: `s${String(index).padStart(2, '0')}`,
  // Some stations share a position. The first of them by code counts as the nearest.
  position: index % 6 === 5 ? ([11.05, 46.55] as const) : somewhere(),
  value: Math.floor(101 * fraction()),
}))

type Expected = { readonly id: string; readonly code: string; readonly metres: number }

const byDistance = (left: Expected, right: Expected) =>
  left.metres - right.metres || (left.id < right.id ? -1 : 1)

const nearestField = (data: string) => JSON.parse(data)['_Near']

describeWithDatabase('records near stations', (database) => {
  let distances: readonly number[] = []
  const naively = (least: number, within: number): readonly Expected[] =>
    records
      .flatMap(({ id }, place) => {
        const pairs = stations.flatMap(({ code, value }, index) => {
          const metres = distances[place * stations.length + index] ?? Infinity
          return value > least && metres <= within ? [{ id, code, metres }] : []
        })
        const [first, ...others] = pairs
        if (first === undefined) return []
        return [others.reduce((best, one) => (one.metres < best.metres ? one : best), first)]
      })
      .sort(byDistance)
  const plan = (least: number, within: number, more = {}): Promise<ListPlan> => {
    const entity = entitiesOf(toNaming('Hub')).find(({ name }) => name === 'HubActivityPoi')
    if (entity === undefined) throw new Error('no such entity')
    const near = `Spot;where=mvalue.gt.${String(least)};within=${String(within)}`
    const query = {
      near,
      pagenumber: 1,
      pagesize: 10,
      getasidarray: false,
      removenullvalues: false,
    }
    return planList(
      entity,
      { ...query, ...more },
      {
        visibility: { kind: 'rules', rules: [] },
        isAnonymous: true,
        isStrict: false,
        database: database(),
        stations: matchStations('strict'),
      },
    )
  }

  beforeAll(async () => {
    const gps = records.map(({ id: Id, position: [Longitude, Latitude] }) => ({
      Id,
      Shortname: Id,
      GpsInfo: [{ Gpstype: 'position', Longitude, Latitude }],
    }))
    await storeContent(database(), 'HubActivityPoi', gps)
    await addStations(
      database(),
      { type: 'Spot' },
      stations.map(({ code, position }) => ({ code, coordinate: position })),
    )
    await addValues(
      database(),
      'Spot',
      stations.map(({ code, value }) => [code, 'free', '2026-11-20T10:00:00Z', value]),
    )
    const pairs = records.flatMap(({ position: here }) =>
      stations.map(({ position: there }) => [here, there] as const),
    )
    distances = await measure(database(), pairs)
  })

  describe.each([
    [50, 600],
    [-1, 2000],
    [90, 50_000],
    [80, 150],
    [101, 5000],
  ])('with values above %i within %i metres', (least, within) => {
    it('match a comparison of all pairs, page by page', async () => {
      const wanted = naively(least, within)
      const total = await loadTotal(database(), await plan(least, within))
      expect(total.count).toBe(wanted.length)
      for (const pagesize of [7, 1000]) {
        const found: unknown[] = []
        for (let pagenumber = 1; pagenumber <= Math.ceil(wanted.length / pagesize); pagenumber++) {
          const planned = await plan(least, within, { pagesize, pagenumber })
          // The page must not depend on the expected number of matches.
          const expected = [wanted.length, 3, Infinity][pagenumber % 3] ?? 0
          const page = await loadPage(database(), planned, expected)
          expect(page.version).toBe(total.version)
          found.push(...page.records.map(({ id, data }) => toFound(id, data)))
        }
        expect(found).toEqual(wanted)
      }
    })

    it('are the same when all of them are loaded in chunks', async () => {
      const wanted = naively(least, within)
      const planned = await plan(least, within, { pagesize: 1000 })
      const { chunks } = await loadEverything(database(), planned)
      const found: unknown[] = []
      for (const chunk of chunks) {
        const loaded = await loadChunk(database(), planned, chunk)
        found.push(...loaded.map(({ id, data }) => toFound(id, data)))
      }
      expect(found).toEqual(wanted)
    })
  })
})

function toFound(id: string, data: string): Expected {
  const { Distance, Station } = nearestField(data)
  return { id, code: Station.scode, metres: Distance }
}
