import { all, sql } from '../../../sql/index.ts'
import { flagAt, numberAt, setOf, textAt } from '../../columns.ts'
import type { GeneratedColumn } from '../../entity.ts'
import { idFilter } from '../every-list.ts'
import type { Filter } from '../filter.ts'
import { maskFilter } from '../mask.ts'
import { rangeFilter } from '../range.ts'
import { columnFlag, listFilter } from '../values.ts'
import { availabilityParameters } from './availability.ts'

/** What the filters of accommodations compare. */
export const accommodationColumns: Readonly<Record<string, GeneratedColumn>> = {
  category: { type: 'text', expression: textAt('AccoCategoryId'), index: 'none' },
  lodging: { type: 'text', expression: textAt('AccoTypeId'), index: 'none' },
  has_apartment: flagAt(['AccoProperties', 'HasApartment'], ['HasApartment']),
  is_bookable: flagAt(['AccoProperties', 'IsBookable'], ['IsBookable']),
  board_ids: { ...setOf('BoardIds'), index: 'none' },
  special_feature_ids: { ...setOf('SpecialFeaturesIds'), index: 'none' },
  theme_ids: { ...setOf('ThemeIds'), index: 'none' },
  badge_ids: { ...setOf('BadgeIds'), index: 'none' },
  feature_ids: setOf('Features.Id'),
  altitude: numberAt('Altitude'),
}

const categories = [
  'Not categorized',
  '1star',
  '1flower',
  '1sun',
  '2stars',
  '2flowers',
  '2suns',
  '3stars',
  '3flowers',
  '3suns',
  '3sstars',
  '4stars',
  '4flowers',
  '4suns',
  '4sstars',
  '5stars',
  '5flowers',
  '5suns',
]

const apartment = 'Apartment'
const lodgings = [
  'HotelPension',
  'BedBreakfast',
  'Farm',
  'Camping',
  'Youth',
  'Mountain',
  apartment,
  'Notdefined',
]

const boards = ['without board', 'breakfast', 'half board', 'full board', 'All Inclusive']

const specialFeatures = [
  'Gruppenfreundlich',
  'Tagung',
  'Schwimmbad',
  'Sauna',
  'Garage',
  'Abholservice',
  'Wlan',
  'Barrierefrei',
  'Allergikerküche',
  'Kleine Haustiere',
]

const themes = [
  'Gourmet',
  'In der Höhe',
  'Regionale Wellness',
  'Biken',
  'Familie',
  'Wandern',
  'Wein',
  'Städtisches Flair',
  'Am Skigebiet',
  'Mediterran',
  'Dolomiten',
  'Alpin',
  'Kleine Betriebe',
  'Hütten und Berggasthöfe',
  'Bäuerliche Welten',
  'Bonus Vacanze',
  'Christkindlmarkt',
  'Sustainability',
]

const badges = [
  'Wellnesshotel',
  'Familienhotel',
  'Bikehotel',
  'Bauernhof',
  'Behindertengerecht',
  'Wanderhotel',
  'Südtirol Privat',
  'Vinumhotel',
]

/** Masks whose codes are compared as they are (interface 4.5, reference content.md 7.1.2). */
const masks: readonly Filter[] = [
  maskFilter({
    name: 'categoryfilter',
    description: 'Categories, any of them',
    codes: categories,
    condition: (codes) => sql`category = any(${codes}::text[])`,
  }),
  maskFilter({
    name: 'typefilter',
    description: 'Kinds of lodging, any of them; with 64 only houses with apartments',
    codes: lodgings,
    condition: (codes) => {
      const kinds = codes.filter((code) => code !== apartment)
      return all([
        ...(kinds.length === 0 ? [] : [sql`lodging = any(${kinds}::text[])`]),
        ...(kinds.length === codes.length ? [] : [sql`has_apartment`]),
      ])
    },
  }),
  maskFilter({
    name: 'boardfilter',
    description: 'Boards, any of them',
    codes: boards,
    condition: (codes) => sql`board_ids && ${codes}::text[]`,
  }),
  maskFilter({
    name: 'featurefilter',
    description: 'Features, any of them',
    codes: specialFeatures,
    condition: (codes) => sql`special_feature_ids && ${codes}::text[]`,
  }),
  maskFilter({
    name: 'themefilter',
    description: 'Themes, any of them',
    codes: themes,
    condition: (codes) => sql`theme_ids && ${codes}::text[]`,
  }),
  maskFilter({
    name: 'badgefilter',
    description: 'Quality and brand badges, any of them',
    codes: badges,
    condition: (codes) => sql`badge_ids && ${codes}::text[]`,
  }),
]

/** The filters of the accommodation list beyond those of every list (interface 4.5). */
export const accommodationFilters: readonly Filter[] = [
  { ...idFilter({ name: 'idfilter', aliases: ['idlist'] }), name: 'idlist' },
  ...masks,
  listFilter({
    name: 'featureidfilter',
    description: 'Identifiers over all features, any of them; letter case counts',
    example: 'A1B2',
    condition: (items) => sql`feature_ids && ${items}::text[]`,
  }),
  rangeFilter({
    name: 'altitudefilter',
    description: 'Altitude of the house',
    unit: 'metres',
    column: sql`altitude`,
  }),
  columnFlag(
    { name: 'bookablefilter', description: 'Whether the house can be booked; absent: all' },
    sql`is_bookable`,
  ),
  ...availabilityParameters,
]
