import { sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import { listOf } from '../../formats/record-members.ts'
import { isVisibleRecord } from '../../visible-records.ts'
import { filter } from '../filter.ts'
import type { Filter, References } from '../filter.ts'
import { locationFilter } from '../location-filter.ts'
import { rejected } from '../reject.ts'
import { listSchema, toItems } from '../values.ts'

const prefixes = [
  'reg<RegionId>',
  'tvs<TourismAssociationId>',
  'mun<MunicipalityId>',
  'fra<FractionId>',
]

const isPlace = (item: string) => /^(reg|tvs|mun|fra)./.test(item)

/** Identifiers of places are stored in capital letters (decision D31). */
const toPlace = (item: string) => item.slice(0, 3) + item.slice(3).toUpperCase()

/** Weather districts by number, or by the tourism associations within them (reference content.md 1.9). */
export const districtPlaces: Filter = filter({
  name: 'locfilter',
  schema: listSchema(`Districts by number, or places in them: ${prefixes.join(', ')}; any of them`),
  examples: {
    good: ['1', '1,7', 'regABC,munDEF'],
    bad: ['8', '0', 'abcDEF', 'reg', ',', '1,Bozen'],
  },
  read: (written) => {
    const items = toItems(written)
    const wrong = items.find((item) => !/^[1-7]$/.test(item) && !isPlace(item))
    assertPlaces(items, wrong, ['1 to 7', ...prefixes])
    return async (references) => {
      const places = items.filter(isPlace).map(toPlace)
      const associations = await loadAssociations(places, references)
      const condition = sql`(id = any(${items}::text[])
        or content_strings(jsonb_path_query_array(data, '$.TourismVereinIds')) && ${associations}::text[])`
      return { text: items.join(','), condition }
    }
  },
})

/** The stations of a bulletin, by number: such bulletins, and of each only what it says of them. */
export const stationPlaces: Filter = filter({
  name: 'locfilter',
  schema: listSchema(
    'Stations by number, any of them: 1 Schlanders, 2 Meran, 3 Bozen, 4 Sterzing, 5 Brixen, 6 Bruneck; of the bulletin only Stationdata is left',
  ),
  examples: { good: ['3', '1,6'], bad: ['7', '0', 'regABC', ',', '1,Bozen'] },
  read: (written) => {
    const items = toItems(written)
    assertPlaces(
      items,
      items.find((item) => !/^[1-6]$/.test(item)),
      ['1 to 6'],
    )
    const isWanted = (id: unknown) => items.includes(String(id))
    return {
      text: items.join(','),
      condition: sql`translate(jsonb_path_query_array(data, '$.Stationdata[*].Id')::text, '[] "', '{}')::text[] && ${items}::text[]`,
      rewrite: {
        toShown: ({ Conditions: _c, Forecast: _f, Mountain: _m, ...bulletin }) => [
          {
            ...bulletin,
            Stationdata: listOf(bulletin['Stationdata']).filter(({ Id }) => isWanted(Id)),
          },
        ],
      },
    }
  },
})

/** Forecasts are of municipalities: those of the regions and tourism associations that are named. */
export const forecastPlaces: Filter = {
  ...locationFilter,
  read: (scope) => {
    const reading = locationFilter.read(scope)
    if (reading === undefined) return undefined
    return async (references) => {
      const meaning = typeof reading === 'function' ? await reading(references) : reading
      const { condition } = meaning
      return {
        ...meaning,
        condition: orIn(condition, await loadMunicipalities(condition, references)),
      }
    }
  },
}

function orIn(condition: Sql, municipalities: readonly string[]): Sql {
  return sql`(${condition} or places && ${municipalities}::text[])`
}

async function loadMunicipalities(
  condition: Sql,
  { database, visibility }: References,
): Promise<readonly string[]> {
  const rows = await database.query<{ place: string }>(
    sql`select 'mun' || id as place from content.municipality
    where ${condition} and ${isVisibleRecord('Municipality', visibility)}`,
  )
  return rows.map(({ place }) => place)
}

/** The tourism associations that the places are, lie in or consist of. */
async function loadAssociations(
  places: readonly string[],
  { database, visibility }: References,
): Promise<readonly string[]> {
  const named = (kind: string) =>
    places.flatMap((place) => (place.startsWith(kind) ? [place.slice(3)] : []))
  if (places.length === 0) return []
  const rows = await database.query<{ id: string }>(sql`
    select id from content.tourismassociation
    where ${isVisibleRecord('TourismAssociation', visibility)} and data ->> 'RegionId' = any(${named('reg')}::text[])
    union select data ->> 'TourismvereinId' from content.municipality
    where ${isVisibleRecord('Municipality', visibility)} and id = any(${named('mun')}::text[]) and data ->> 'TourismvereinId' is not null
    union select data ->> 'TourismvereinId' from content.district
    where ${isVisibleRecord('District', visibility)} and id = any(${named('fra')}::text[]) and data ->> 'TourismvereinId' is not null`)
  return [...named('tvs'), ...rows.map(({ id }) => id)]
}

function assertPlaces(
  items: readonly string[],
  wrong: string | undefined,
  expected: readonly string[],
): void {
  if (items.length > 0 && wrong === undefined) return
  const detail = `has ${JSON.stringify(wrong ?? '')}, which is no place of this list`
  throw rejected({ parameter: 'locfilter', detail, expected })
}
