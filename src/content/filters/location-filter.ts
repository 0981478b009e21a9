import { sql } from '../../sql/index.ts'
import { filter } from './filter.ts'
import type { Filter, References } from './filter.ts'
import { rejected } from './reject.ts'
import { listSchema, toItems } from './values.ts'

const kinds = ['reg', 'tvs', 'mun', 'fra', 'mta'] as const

const expected = [
  'reg<RegionId>',
  'tvs<TourismAssociationId>',
  'mun<MunicipalityId>',
  'fra<FractionId>',
  'mta<MetaRegionId>',
]

/** Records by the places they lie in (interface 4.5, reference content.md 3.8). */
export const locationFilter: Filter = filter({
  name: 'locfilter',
  schema: listSchema(`Places, any of them: ${expected.join(', ')}; see /v1/Location`),
  examples: {
    good: ['regABC', 'munABC,fraDEF', 'mtaABC,tvsDEF'],
    bad: ['abcDEF', 'reg', ',', 'regABC,Bozen'],
  },
  read: (written) => {
    const items = toItems(written)
    const wrong = items.find((item) => !isPlace(item))
    if (wrong !== undefined || items.length === 0) {
      const detail = `has ${JSON.stringify(wrong ?? '')}, which is no kind and identifier`
      throw rejected({ parameter: 'locfilter', detail, expected })
    }
    const places = items.flatMap(spellings)
    const toMeaning = (all: readonly string[]) => ({
      text: items.join(','),
      condition: sql`places && ${all}::text[]`,
    })
    if (!items.some((item) => item.startsWith('mta'))) return toMeaning(places)
    return async (references) => toMeaning([...places, ...(await loadMembers(places, references))])
  },
})

const isPlace = (item: string) => item.length > 3 && kinds.some((kind) => item.startsWith(kind))

/** Identifiers of places are stored in capital letters (decision D31). */
const spellings = (item: string) => [item, item.slice(0, 3) + item.slice(3).toUpperCase()]

/** A meta region is the tourism associations that it has. */
async function loadMembers(
  places: readonly string[],
  { database }: References,
): Promise<readonly string[]> {
  const ids = places.flatMap((place) => (place.startsWith('mta') ? [place.slice(3)] : []))
  const rows = await database.query<{ place: string }>(sql`
    select 'tvs' || unnest(content_strings(data -> 'TourismvereinIds')) as place
    from content.metaregion where id = any(${ids}::text[])`)
  return rows.map(({ place }) => place)
}
