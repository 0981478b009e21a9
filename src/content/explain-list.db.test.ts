import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { anonymous } from '../access/index.ts'
import type { Visibility } from '../access/index.ts'
import { entitiesOf } from './entities/index.ts'
import { isVisible } from './table.ts'
import { planList } from './list/plan.ts'
import { toNaming } from './naming.ts'
import { storeRecords } from './write/store-records.ts'
import { explainList } from './explain.ts'

const entities = entitiesOf(toNaming('Hub'))

function entityNamed(name: string) {
  const entity = entities.find((candidate) => candidate.name === name)
  if (entity === undefined) throw new Error(`no entity ${name}`)
  return entity
}

const pois = entityNamed('HubActivityPoi')
const publicOnly: Visibility = { kind: 'rules', rules: [] }

const place = { Gpstype: 'position', Latitude: 46.5, Longitude: 11.3 }
const records = [
  { Id: 'a', Active: true, TagIds: ['summer', 'hiking'], GpsInfo: [place], HasText: ['x'] },
  { Id: 'b', Active: false, TagIds: ['winter'], GpsInfo: [place], HasText: ['y'] },
  { Id: 'c', Active: true, TagIds: ['summer'], Tags: [{ Id: 'summer' }] },
  { Id: 'd', Active: true, TagIds: ['summer'], LicenseInfo: { ClosedData: true } },
]

describeWithDatabase('explain', (database) => {
  beforeAll(async () => {
    const received = new Date('2026-11-20T10:00:00.000Z')
    const saving = { deletions: [], received, provider: 'demo' }
    const tags = ['summer', 'winter', 'sumner', 'hiking'].map((Id) => ({ Id }))
    const secret = { Id: 'sommer', LicenseInfo: { ClosedData: true } }
    await database().transaction(async (tx) => {
      await storeRecords(tx, { ...saving, entity: pois, records })
      await storeRecords(tx, { ...saving, entity: entityNamed('Tag'), records: [...tags, secret] })
    })
  })

  async function explain(
    parameters: Readonly<Record<string, unknown>>,
    visibility: Visibility = publicOnly,
  ) {
    const query = {
      pagenumber: 1,
      pagesize: 10,
      getasidarray: false,
      removenullvalues: false,
      ...parameters,
    }
    const caller = { visibility, isAnonymous: true, isStrict: false, principal: anonymous }
    const plan = await planList(pois, query, { ...caller, database: database() })
    return explainList({ database: database(), visible: isVisible(pois, visibility) }, plan)
  }

  it('counts the matches of each filter and of all together, in canonical form', async () => {
    const rawfilter = ' and( eq(Active , true),not( isnull(GpsInfo) ) ) '
    expect(await explain({ rawfilter, tagfilter: 'summer', rawsort: '-Shortname' })).toEqual({
      TotalResults: 1,
      Visible: 3,
      Filters: expect.arrayContaining([
        {
          Parameter: 'rawfilter',
          Canonical: 'and(eq(Active,true),not(isnull(GpsInfo)))',
          Matches: 1,
          Parts: [
            { Canonical: 'eq(Active,true)', Matches: 2 },
            { Canonical: 'not(isnull(GpsInfo))', Matches: 2 },
          ],
          Hints: [],
        },
        { Parameter: 'tagfilter', Canonical: 'or(summer)', Matches: 2, Parts: [], Hints: [] },
      ]),
      Order: ['-rawsort Shortname', 'id'],
    })
  })

  it('counts only records that the caller may read', async () => {
    const everything = await explain({ tagfilter: 'summer' }, { kind: 'everything' })
    expect(everything).toMatchObject({ TotalResults: 3, Visible: 4, Filters: [{ Matches: 3 }] })
    const open = await explain({ tagfilter: 'summer' })
    expect(open).toMatchObject({ TotalResults: 2, Visible: 3, Filters: [{ Matches: 2 }] })
  })

  it('suggests similar tags if a tag does not exist, but no closed ones', async () => {
    const { Filters } = await explain({ tagfilter: 'and(sumer,winter)' })
    expect(Filters[0]?.Hints).toEqual(['There is no tag sumer. Did you mean summer, sumner?'])
    const none = await explain({ tagfilter: 'qqqqqqqqqq' })
    expect(none.Filters[0]?.Hints).toEqual(['There is no tag qqqqqqqqqq. See /v1/Tag.'])
  })

  it('detects that latitude and longitude are swapped', async () => {
    const swapped = [/swapped/]
    const polygon = await explain({ polygon: 'POLYGON((46 11,47 11,47 12,46 12,46 11))' })
    expect(polygon.Filters[0]?.Hints).toEqual(swapped.map((one) => expect.stringMatching(one)))
    const circle = await explain({ latitude: 11.3, longitude: 46.5, radius: 1000 })
    // A circle has named parameters, so the hint does not mention the order of coordinates.
    expect(circle.Filters[0]?.Hints).toEqual(['Latitude and longitude seem to be swapped.'])
    const right = await explain({ polygon: 'bbc(11 46,12 47)' })
    expect(right).toMatchObject({ TotalResults: 2, Filters: [{ Hints: [] }] })
    const elsewhere = await explain({ polygon: 'bbc(1 1,2 2)' })
    expect(elsewhere).toMatchObject({ TotalResults: 0, Filters: [{ Hints: [] }] })
  })

  it('detects that an array is compared with a scalar, and suggests in()', async () => {
    const hintOf = async (rawfilter: string) => (await explain({ rawfilter })).Filters[0]?.Hints
    expect(await hintOf("eq(TagIds,'summer')")).toEqual([
      "TagIds holds an array, which is compared as a whole. To look inside: in(TagIds.[*],'summer').",
    ])
    expect(await hintOf("and(eq(Active,true),eq(Tags.Id,'summer'))")).toEqual([
      expect.stringContaining("in(Tags.[*].Id,'summer')"),
    ])
    expect(await hintOf('gt(GpsInfo.0.Latitude,80)')).toEqual([])
    expect(await hintOf("eq(Shortname,'nobody')")).toEqual([])
  })
})
