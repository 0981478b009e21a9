import { sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import { filter } from '../../entity.ts'
import type { Filter, GeneratedColumn } from '../../entity.ts'
import type { Naming } from '../../naming.ts'
import { flagAt, lowerSetOf, numberAt, textAt } from '../../table.ts'
import { activities, pois, types } from '../../type-lists/types.ts'
import { spellingsOf } from '../every-list.ts'
import {
  columnFlag,
  flagFilter,
  identifierFilter,
  listFilter,
  listSchema,
  namedMaskFilter,
  rangeFilter,
  rejected,
  toItems,
} from '../values.ts'

const gastronomyAt = 'AdditionalProperties.GastronomyLtsDataProperties'
const codesOf = (member: string): GeneratedColumn => ({
  ...lowerSetOf(`${member}.Id`, `${gastronomyAt}.${member}.Id`),
  index: 'none',
})

/** Columns for the filters of activities and points of interest. */
export const activityPoiColumns: Readonly<Record<string, GeneratedColumn>> = {
  highlight: flagAt(['Highlight']),
  difficulty: {
    type: 'text',
    expression: sql`coalesce(${textAt('Difficulty')}, ${textAt('Ratings', 'Difficulty')})`,
    index: 'none',
  },
  length: numberAt('DistanceLength'),
  climb: numberAt('AltitudeDifference'),
  duration: numberAt('DistanceDuration'),
  category_codes: codesOf('CategoryCodes'),
  dish_codes: codesOf('DishRates'),
  ceremony_codes: codesOf('CapacityCeremony'),
  facility_codes: codesOf('Facilities'),
}

const lower = (text: string) => text.toLowerCase()

const tagged = (tags: readonly string[]) => sql`hub_tags && ${tags}::text[]`

const kinds: readonly Filter[] = [
  namedMaskFilter({
    name: 'type',
    description: 'Main types, any of them',
    types,
    choice: { label: ['Art', 'Tipo', 'Kind'], field: 'TagIds.[*]' },
    toCode: lower,
    condition: tagged,
  }),
  namedMaskFilter({
    name: 'activitytype',
    description: 'Types of activities, any of them',
    types: activities,
    choice: { label: ['Aktivitäten', 'Attività', 'Activities'], field: 'TagIds.[*]' },
    toCode: lower,
    condition: tagged,
  }),
  namedMaskFilter({
    name: 'poitype',
    description: 'Types of points of interest, any of them',
    types: pois,
    choice: {
      label: ['Sehenswertes und Dienste', 'Punti di interesse', 'Points of interest'],
      field: 'TagIds.[*]',
    },
    toCode: lower,
    condition: tagged,
  }),
  namedFilter('subtype', 'Second level of types by name, any of them'),
  namedFilter('level3type', 'Third level of types by name, any of them'),
]

/** Returns a filter by names only: the meaning of a number's bits depends on the level above. */
function namedFilter(name: string, description: string): Filter {
  return filter({
    name,
    schema: listSchema(description),
    examples: { good: ['Wandern', 'museen,burgen'], bad: ['12', ',', 'wandern,3'] },
    read: (written) => {
      const items = toItems(written).map(lower)
      if (items.length === 0 || items.some((item) => /^[\d.+-]+$/.test(item))) {
        const expected = ['comma-separated names of types; see their tags in /v1/Tag']
        throw rejected({ parameter: name, detail: 'is not a list of names', expected })
      }
      return { text: items.join(','), condition: tagged(items) }
    },
  })
}

/** Returns a filter by the identifiers of gastronomy codes. */
const codeFilter = (name: string, what: string, column: Sql): Filter =>
  identifierFilter({
    name,
    description: `${what}, by identifier; any of them`,
    example: 'b0bdc4c4',
    toItem: lower,
    condition: (items) => sql`${column} && ${items}::text[]`,
  })

/** The six degrees of difficulty in records, grouped as 1 easy, 2 medium, 3 hard. */
const degrees = new Map([
  ['1', ['1', '2']],
  ['2', ['3', '4']],
  ['3', ['5', '6']],
])

const difficulty = filter({
  name: 'difficultyfilter',
  schema: listSchema('Difficulties, any of them: 1 easy, 2 medium, 3 hard'),
  examples: { good: ['1', '1,3'], bad: ['4', '0', 'easy', ','] },
  read: (written) => {
    const items = toItems(written)
    const wanted = items.flatMap((item) => degrees.get(item) ?? [])
    if (wanted.length < items.length * 2 || items.length === 0) {
      const expected = ['1 easy', '2 medium', '3 hard']
      throw rejected({ parameter: 'difficultyfilter', detail: 'has an unknown degree', expected })
    }
    return { text: items.join(','), condition: sql`difficulty = any(${wanted}::text[])` }
  },
})

const isHighlight = columnFlag(
  {
    name: 'highlight',
    description: 'Whether it is a highlight',
    choice: {
      label: ['Nur Höhepunkte', 'Solo in evidenza', 'Highlights only'],
      field: 'Highlight',
    },
  },
  sql`highlight`,
)

const hasImage = flagFilter({
  name: 'hasimage',
  description: 'Whether the record has a gallery',
  choice: {
    label: ['Mit Bildern', 'Con immagini', 'With pictures'],
    field: 'ImageGallery.[*].ImageUrl',
  },
  condition: (wanted) =>
    wanted
      ? sql`coalesce(jsonb_typeof(data -> 'ImageGallery'), 'null') <> 'null'`
      : sql`coalesce(jsonb_typeof(data -> 'ImageGallery'), 'null') = 'null'`,
})

/**
 * Returns the filters of the list of activities and points of interest (reference content.md 1.2).
 */
export const activityPoiFilters = ({ tagFilter }: Naming): readonly Filter[] => [
  ...kinds,
  listFilter({
    name: `${tagFilter}_and`,
    aliases: spellingsOf(`${tagFilter}_and`, 'tagfilter_and'),
    description: 'Tags of the recommended system, all of them; case-insensitive',
    example: 'summer',
    toItem: lower,
    condition: (items) => sql`hub_tags @> ${items}::text[]`,
  }),
  isHighlight,
  codeFilter('categorycodefilter', 'Categories of gastronomy', sql`category_codes`),
  codeFilter('dishcodefilter', 'Dishes', sql`dish_codes`),
  codeFilter('ceremonycodefilter', 'Ceremonies', sql`ceremony_codes`),
  codeFilter('facilitycodefilter', 'Facilities', sql`facility_codes`),
  codeFilter('cuisinecodefilter', 'Cuisines', sql`facility_codes`),
  difficulty,
  rangeFilter({
    name: 'distancefilter',
    description: 'Length',
    unit: 'kilometres',
    column: sql`length`,
    choice: { label: ['Länge', 'Lunghezza', 'Length'], field: 'DistanceLength' },
    factor: 1000,
  }),
  rangeFilter({
    name: 'altitudefilter',
    description: 'Difference of altitude',
    unit: 'metres',
    column: sql`climb`,
  }),
  rangeFilter({
    name: 'durationfilter',
    description: 'Duration',
    unit: 'hours',
    column: sql`duration`,
    choice: { label: ['Dauer', 'Durata', 'Duration'], field: 'DistanceDuration' },
  }),
  hasImage,
]
