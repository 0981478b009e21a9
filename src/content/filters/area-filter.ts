import { sql } from '../../sql/index.ts'
import { isVisibleRecord } from '../visible-records.ts'
import { filter } from './filter.ts'
import type { Filter, References } from './filter.ts'
import { rejected } from './reject.ts'
import { listSchema, toItems } from './values.ts'

/** Records in an area of activities (interface 4.2, decision D26a, reference content.md 3.9). */
export const areaFilter: Filter = filter({
  name: 'areafilter',
  schema: listSchema(
    'Areas by whole name in any language, by identifier of /v1/Area, or by reg, tvs, skr, ska or are with an identifier; any of them',
  ),
  examples: { good: ['Dolomites', 'regABC,skaDEF', 'no such area'], bad: [',', ' '] },
  read: (written) => {
    const items = toItems(written)
    if (items.length === 0) {
      const expected = ['names of areas, or reg…, tvs…, skr…, ska…, are…']
      throw rejected({ parameter: 'areafilter', detail: 'is a list without items', expected })
    }
    return async (references) => ({
      text: items.join(','),
      condition: sql`area_ids && ${await loadAreaIds(items, references)}::text[]`,
    })
  },
})

/**
 * The identifiers of all areas that an item may mean. An identifier counts also when there is no such
 * area, because records may name it all the same.
 */
async function loadAreaIds(
  items: readonly string[],
  { database, visibility }: References,
): Promise<readonly string[]> {
  const named = (prefix: string) =>
    items.flatMap((item) => (item.startsWith(prefix) ? spellings(item.slice(prefix.length)) : []))
  const regions = [...named('reg').map((id) => `reg${id}`), ...named('tvs').map((id) => `tvs${id}`)]
  const rows = await database.query<{ id: string }>(sql`
    select id from content.area where ${isVisibleRecord('Area', visibility)} and (
      places && ${regions}::text[]
      or lower(shortname) = any(${lower(items)}::text[])
      or exists (
        select from jsonb_each(case jsonb_typeof(data -> 'Detail') when 'object' then data -> 'Detail' end)
        where lower(value ->> 'Title') = any(${lower(items)}::text[])))
    union
    select unnest(area_ids) from content.skiarea
    where ${isVisibleRecord('SkiArea', visibility)} and (
      id = any(${named('ska')}::text[]) or data ->> 'SkiRegionId' = any(${named('skr')}::text[]))`)
  return [...new Set([...rows.map(({ id }) => id), ...named('are'), ...items.flatMap(spellings)])]
}

const lower = (items: readonly string[]) => items.map((item) => item.toLowerCase())

/** Identifiers of areas are stored in capital letters (decision D31). */
const spellings = (id: string) => [id, id.toUpperCase()]
