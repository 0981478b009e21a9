import { sql } from '../../sql/index.ts'
import { isVisibleRecord } from '../visible-records.ts'
import { filter } from './filter.ts'
import type { Filter, References } from './filter.ts'
import { placeKinds } from './place-kinds.ts'
import { rejected } from './reject.ts'
import { listSchema, toItems } from './values.ts'

const expected = placeKinds.map(({ prefix, entity }) => `${prefix}<${entity}Id>`)

const description = `Places, any of them: ${expected.join(', ')}; see /v1/Location`

/** The schema of a list of places. */
export const placesSchema = listSchema(description)

/**
 * The places that a list names, each once.
 * @throws AppError HUB-QRY-001 for what is no kind and identifier
 */
export function readPlaces(written: readonly string[]): readonly string[] {
  const items = toItems(written)
  const wrong = items.find((item) => !isPlace(item))
  if (wrong === undefined && items.length > 0) return items
  const detail = `has ${JSON.stringify(wrong ?? '')}, which is no kind and identifier`
  throw rejected({ parameter: 'locfilter', detail, expected })
}

/** Records by the places they lie in (interface 4.5, reference content.md 3.8). */
export const locationFilter: Filter = filter({
  name: 'locfilter',
  schema: placesSchema,
  examples: {
    good: ['regABC', 'munABC,fraDEF', 'mtaABC,tvsDEF'],
    bad: ['abcDEF', 'reg', ',', 'regABC,Bozen'],
  },
  read: (written) => {
    const items = readPlaces(written)
    const places = items.flatMap(placeSpellings)
    const toMeaning = (all: readonly string[]) => ({
      text: items.join(','),
      condition: sql`places && ${all}::text[]`,
    })
    if (!items.some((item) => item.startsWith('mta'))) return toMeaning(places)
    return async (references) => toMeaning([...places, ...(await loadMembers(places, references))])
  },
})

const isPlace = (item: string) =>
  item.length > 3 && placeKinds.some(({ prefix }) => item.startsWith(prefix))

/** Identifiers of places are stored in capital letters (decision D31). */
export const placeSpellings = (item: string) => [
  item,
  item.slice(0, 3) + item.slice(3).toUpperCase(),
]

/** A meta region is the tourism associations that it has. */
async function loadMembers(
  places: readonly string[],
  { database, visibility }: References,
): Promise<readonly string[]> {
  const ids = places.flatMap((place) => (place.startsWith('mta') ? [place.slice(3)] : []))
  const rows = await database.query<{ place: string }>(sql`
    select 'tvs' || unnest(content_strings(data -> 'TourismvereinIds')) as place
    from content.metaregion
    where id = any(${ids}::text[]) and ${isVisibleRecord('MetaRegion', visibility)}`)
  return rows.map(({ place }) => place)
}
