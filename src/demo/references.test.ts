import { describe, expect, it } from 'vitest'
import { toNaming } from '../content/index.ts'
import { planRegion } from './index.ts'

const naming = toNaming('Hub')
const until = new Date('2026-11-20T12:00:00Z')

/** Paths of fields, and the entity to which each refers. */
const referring: readonly (readonly [member: string, entity: string])[] = [
  ['RegionInfo.Id', 'Region'],
  ['TvInfo.Id', 'TourismAssociation'],
  ['MunicipalityInfo.Id', 'Municipality'],
  ['DistrictInfo.Id', 'District'],
  ['RegionId', 'Region'],
  ['RegionIds', 'Region'],
  ['TourismvereinId', 'TourismAssociation'],
  ['TourismVereinId', 'TourismAssociation'],
  ['TourismvereinIds', 'TourismAssociation'],
  ['TourismVereinIds', 'TourismAssociation'],
  ['TourismorganizationId', 'TourismAssociation'],
  ['MunicipalityId', 'Municipality'],
  ['MunicipalityIds', 'Municipality'],
  ['DistrictId', 'District'],
  ['DistrictIds', 'District'],
  ['AreaIds', 'Area'],
  ['SkiAreaIds', 'SkiArea'],
  ['SkiareaIds', 'SkiArea'],
  ['SkiAreaID', 'SkiArea'],
  ['SkiRegionId', 'SkiRegion'],
  ['A0RID', 'Accommodation'],
  ['AccoRoomInfo.Id', 'AccommodationRoom'],
  ['RelatedContent.Id', 'Accommodation'],
  ['VenueIds', 'Venue'],
  ['TagIds', 'Tag'],
  ['LTSTags.Id', 'Tag'],
  ['PublishedOn', 'Publisher'],
  ['Source', 'Source'],
]

/** Returns all texts at a path of field names, through arrays, wherever the path starts. */
function textsAt(value: unknown, path: readonly string[], whole = path): readonly string[] {
  if (path.length === 0 && typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((item) => textsAt(item, path, whole))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...(name === path[0] ? textsAt(member, path.slice(1), []) : []),
    ...(path === whole ? textsAt(member, whole, whole) : []),
  ])
}

describe.each([0.1, 1])('references at scale %s', { timeout: 30_000 }, (scale) => {
  const region = planRegion({ seed: 7, scale, until, naming, publicUrl: 'http://localhost:8080' })
  const records = [...region.content()].flatMap(({ entity, items }) =>
    items.map((item) => ({ entity, item })),
  )
  const known = new Set(records.map(({ entity, item }) => `${entity} ${item.Id}`))

  it.each(referring)('in %s refer to a %s that exists', (member, entity) => {
    const ids = records.flatMap(({ item }) => textsAt(item, member.split('.')))
    expect(ids.filter((id) => !known.has(`${entity} ${id}`))).toEqual([])
    expect(ids.length).toBeGreaterThan(0)
  })

  it('of stations refer to parents that precede them', () => {
    const seen = new Set<string>()
    const missing: string[] = []
    for (const { stationType, items } of region.stations()) {
      for (const { code, parent } of items) {
        if (parent !== null && !seen.has(`${parent.type} ${parent.code}`)) missing.push(code)
        seen.add(`${stationType} ${code}`)
      }
    }
    expect(missing).toEqual([])
    const ends = [...region.edges()].flatMap(({ items }) =>
      items.flatMap(({ from, to }) => [from ?? [], to ?? []].flat()),
    )
    expect(ends.filter(({ type, code }) => !seen.has(`${type} ${code}`))).toEqual([])
  })

  it('of values refer to stations and data types that exist', () => {
    const codes = new Set(
      [...region.stations()].flatMap(({ stationType, items }) =>
        items.map(({ code }) => `${stationType} ${code}`),
      ),
    )
    const types = new Set(
      [...region.dataTypes()].flatMap(({ items }) => items.map(({ name }) => name)),
    )
    const used = new Set<string>()
    for (const { stationType, items } of region.measurements()) {
      for (const [code, type] of items) {
        used.add(type)
        if (!codes.has(`${stationType} ${code}`))
          throw new Error(`${stationType} ${code} is not a station.`)
      }
    }
    expect(used).toEqual(types)
  })
})
