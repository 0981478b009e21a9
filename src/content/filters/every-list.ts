import { Type } from 'typebox'
import { dayForm } from '../../errors/index.ts'
import { sql } from '../../sql/index.ts'
import { circleFilter } from '../geography/circle-filter.ts'
import { polygonFilter } from '../geography/polygon-filter.ts'
import { toEntityId } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { nearFilter } from '../nearby/index.ts'
import { searchFilter } from '../search/search-filter.ts'
import { areaFilter } from './area-filter.ts'
import { isDay } from './day.ts'
import { filter } from './filter.ts'
import type { Filter } from './filter.ts'
import { locationFilter } from './location-filter.ts'
import { rawFilter, rawSort } from './raw-filters.ts'
import { rejected } from './reject.ts'
import { tagFilter } from './tag-filter.ts'
import { columnFlag, listFilter, listSchema, toItems } from './values.ts'

type Spelling = { readonly name: string; readonly aliases: readonly string[] }

/** Records by their identifiers, in the letter case of the entity (decision D31). */
export const idFilter = ({ name, aliases }: Spelling): Filter =>
  filter({
    name,
    aliases,
    schema: listSchema('Identifiers, any of them'),
    examples: { good: ['abc', 'ABC,def'], bad: [',', ' '] },
    read: (written, { entity }) => {
      const ids = toItems(written).map((id) => toEntityId(entity, id))
      if (ids.length === 0) {
        const expected = ['identifiers with commas']
        throw rejected({ parameter: name, detail: 'is a list without items', expected })
      }
      return { text: ids.join(','), condition: sql`id = any(${ids}::text[])` }
    },
  })

/** Records that changed on that day or later (decision D28). */
export const updateFilter = (aliases: readonly string[] = []): Filter =>
  filter({
    name: 'updatefrom',
    aliases,
    schema: Type.String({
      ...dayForm,
      maxLength: 10,
      description: 'Only records whose content changed on this day (UTC) or later; yyyy-MM-dd',
    }),
    examples: {
      good: ['2026-01-31', '1970-01-01'],
      bad: ['2026-02-31', '31.1.2026', '2026-13-01', '2026-01-31T10:00:00', 'today', '0000-01-01'],
    },
    read: (day) => {
      if (!isDay(day)) {
        throw rejected({
          parameter: 'updatefrom',
          detail: `is no day: ${day}`,
          expected: ['yyyy-MM-dd, such as 2026-01-31'],
        })
      }
      return { text: day, condition: sql`last_change >= ${`${day}T00:00:00Z`}::timestamptz` }
    },
  })

const languageFilter = listFilter({
  name: 'langfilter',
  description: 'Languages, all of which the record has, such as de,it,en',
  example: 'de',
  toItem: (item) => item.toLowerCase(),
  condition: (items) => sql`languages @> ${items}::text[]`,
})

const sourceFilter = listFilter({
  name: 'source',
  description: 'Sources of /v1/Source, any of them; letter case does not count',
  example: 'lts',
  toItem: (item) => item.toLowerCase(),
  condition: (items) => sql`source = any(${items}::text[])`,
})

const publisherFilter = listFilter({
  name: 'publishedon',
  description: 'Publishers of /v1/Publisher that show the record, any of them',
  example: 'idm-marketplace',
  toItem: (item) => item.toLowerCase(),
  condition: (items) => sql`published_on && ${items}::text[]`,
})

/** What every list filters by (interface 4.2). */
export const commonFilters: readonly Filter[] = [
  idFilter({ name: 'idlist', aliases: ['idfilter'] }),
  searchFilter,
  languageFilter,
  updateFilter(),
  sourceFilter,
  columnFlag(
    { name: 'active', description: 'Whether the source shows the record; absent: all' },
    sql`active`,
  ),
  publisherFilter,
  circleFilter,
  polygonFilter,
  nearFilter,
  areaFilter,
  locationFilter,
  tagFilter,
  rawFilter,
  rawSort,
]

/** The spellings of a name that begins with the prefix, besides the deployment's own (decision D10). */
export function spellingsOf(name: string, ending: string): readonly string[] {
  return [`hub${ending}`, `odh${ending}`].filter((spelling) => spelling !== name)
}

/** What lists filter by whose records the platform shows or not (interface 4.5). */
export const tourismFilters = ({ activeFilter, tagFilter: tagName }: Naming): readonly Filter[] => [
  columnFlag(
    {
      name: activeFilter,
      aliases: spellingsOf(activeFilter, 'active'),
      description: 'Whether the platform shows the record; absent: all',
    },
    sql`hub_active`,
  ),
  listFilter({
    name: tagName,
    aliases: spellingsOf(tagName, 'tagfilter'),
    description: 'Tags of the recommended system, any of them; letter case does not count',
    example: 'summer',
    toItem: (item) => item.toLowerCase(),
    condition: (items) => sql`hub_tags && ${items}::text[]`,
  }),
]
