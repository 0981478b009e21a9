import fc from 'fast-check'
import { Parse } from 'typebox/value'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { entitiesOf, toNaming } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { usePushingHub } from '../fixtures/pushing-hub.ts'
import { describeWithSharedData, readShared } from '../fixtures/shared-data.ts'
import { contentFiles } from './real-records/content-files.ts'
import {
  contentRecord,
  differences,
  expectedOf,
  keyOf,
  withLowerTags,
} from './real-records/content-records.ts'

const entities = entitiesOf(toNaming('Hub'))

/**
 * Fields that this test does not alter, because the hub computes with them (decision D66),
 * generates them or removes them.
 */
const leftAlone =
  /^(Id|_Meta|LicenseInfo|Active|HubActive|SmgActive|OdhActive|ODHActive|Source|Mapping|PublishedOn|TagIds|Tags|SmgTags|HubTags|GpsInfo|GpsPoints|Geo|Geometry|Srid|Latitude|Longitude|latitude|longitude|LastChange|FirstImport|HasLanguage|Self|DateBegin|DateEnd|StartDate|EndDate|EventDate|Pdf|Ranc|PayMet|Type|GrpEvent|LTSTags|Hashtag|NextBeginDate|EventPrices|EventBenefit|EventCrossSelling|EventDescAdditional|EventOperationScheduleOverview|ApiUrl|BaseUrl|PathParam|SwaggerUrl|RecordCount)$/

/** Replaces a value with one of another type, such as a number with a text, null or a list. */
function turned(value: unknown, how: number): unknown {
  const others = [null, [value], JSON.stringify(value), how, { value }, how % 2 === 0]
  return others[how % others.length]
}

/** Alters the types of some fields of a record, at any depth. */
function mutated(value: unknown, draws: () => number, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) {
    return draws() % 4 === 0 ? turned(value, draws()) : value
  }
  if (depth > 0 && draws() % 12 === 0) return turned(value, draws())
  if (Array.isArray(value)) return value.map((item) => mutated(item, draws, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      depth === 0 && leftAlone.test(name) ? member : mutated(member, draws, depth + 1),
    ]),
  )
}

const page = Type.Object({ Items: Type.Array(contentRecord) })

describeWithDatabase('real content records with fields of other types', (database) => {
  const hub = usePushingHub(database)

  describeWithSharedData('are stored as they were sent', () => {
    // The hub computes with all fields of a shape except its name.
    const files = contentFiles.filter(({ entity }) => entity !== 'GeoShape')
    it.each(files)('$entity: some of $file', async ({ entity, path, file, convert }) => {
      // Ids are separated by commas in a list, so they cannot contain any.
      const listed = ({ Id }: { readonly Id: string | number }) => !String(Id).includes(',')
      const records = convert(readShared(`data/${file}`)).filter(listed).slice(0, 40)
      const known = entities.find(({ name }) => name === entity)
      expect(known).toBeDefined()
      const random = fc.sample(fc.nat(1_000_000), { numRuns: 5000, seed: records.length })
      let drawn = 0
      const draws = () => random[drawn++ % random.length] ?? 0
      const sent = new Map(
        records.map((record) => {
          const other = Parse(contentRecord, mutated(record, draws))
          return [keyOf(other), other]
        }),
      )
      const receipt = await hub.push([{ kind: 'content', entity, items: [...sent.values()] }])
      expect(receipt).toMatchObject({ state: 'visible', stored: sent.size, rejected: [] })
      const stored = [...sent.values()].map((record) => withLowerTags(entity, record))
      const ids = stored.map(({ Id }) => encodeURIComponent(String(Id))).join()
      const { Items } = Parse(page, await hub.get(`/v1/${path}?pagesize=1000&idlist=${ids}`))
      const read = new Map(Items.map((record) => [keyOf(record), record]))
      for (const [key, record] of sent) {
        const expected = withLowerTags(entity, expectedOf(entity, record))
        expect(differences(expected, read.get(key))).toEqual([])
      }
    })
  })
})
