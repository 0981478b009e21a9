import { all, any, sql } from '../../../sql/index.ts'
import { availabilityParameters } from '../../availability/parameters.ts'
import type { Filter, GeneratedColumn } from '../../entity.ts'
import { flagAt, numberAt, setOf, textAt } from '../../table.ts'
import {
  badges,
  boards,
  categories,
  lodgings,
  specialFeatures,
  themes,
} from '../../type-lists/types.ts'
import { idFilter } from '../every-list.ts'
import { columnFlag, listFilter, maskFilter, rangeFilter } from '../values.ts'

/** Columns for the filters of accommodations. */
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

const apartment = 'Apartment'

const boardFilter = maskFilter({
  name: 'boardfilter',
  description: 'Boards, any of them; an availability check searches for offers with them',
  types: boards,
  choice: {
    label: ['Verpflegung', 'Trattamento', 'Board'],
    field: 'BoardIds.[*]',
    isCounted: true,
  },
  condition: (codes) => sql`board_ids && ${codes}::text[]`,
})

/**
 * Filters by masks whose codes are compared unchanged (interface 4.5, reference content.md 7.1.2).
 */
const masks: readonly Filter[] = [
  maskFilter({
    name: 'categoryfilter',
    description: 'Categories, any of them',
    types: categories,
    choice: {
      label: ['Kategorie', 'Categoria', 'Category'],
      field: 'AccoCategoryId',
      isCounted: true,
    },
    condition: (codes) => sql`category = any(${codes}::text[])`,
  }),
  maskFilter({
    name: 'typefilter',
    description: 'Kinds of lodging, any of them; 64 is every house with apartments',
    types: lodgings,
    choice: {
      label: ['Art der Unterkunft', 'Tipo di alloggio', 'Type of lodging'],
      field: 'AccoTypeId',
    },
    condition: (codes, profile) => {
      const kinds = codes.filter((code) => code !== apartment)
      // The public system then requires apartments of every house (reference content.md 1.1).
      const join = profile === 'compatible' ? all : any
      return join([
        ...(kinds.length === 0 ? [] : [sql`lodging = any(${kinds}::text[])`]),
        ...(kinds.length === codes.length ? [] : [sql`has_apartment`]),
      ])
    },
  }),
  boardFilter,
  maskFilter({
    name: 'featurefilter',
    description: 'Features, any of them',
    types: specialFeatures,
    choice: {
      label: ['Ausstattung', 'Dotazioni', 'Features'],
      field: 'SpecialFeaturesIds.[*]',
      isCounted: true,
    },
    condition: (codes) => sql`special_feature_ids && ${codes}::text[]`,
  }),
  maskFilter({
    name: 'themefilter',
    description: 'Themes, any of them',
    types: themes,
    choice: { label: ['Themen', 'Temi', 'Themes'], field: 'ThemeIds.[*]', isCounted: true },
    condition: (codes) => sql`theme_ids && ${codes}::text[]`,
  }),
  maskFilter({
    name: 'badgefilter',
    description: 'Quality and brand badges, any of them',
    types: badges,
    choice: {
      label: ['Gütezeichen', 'Marchi di qualità', 'Quality labels'],
      field: 'BadgeIds.[*]',
      isCounted: true,
    },
    condition: (codes) => sql`badge_ids && ${codes}::text[]`,
  }),
]

const bookable = columnFlag(
  { name: 'bookablefilter', description: 'Whether the house can be booked; default: all' },
  sql`is_bookable`,
)

/**
 * Filter by whether a house can be booked. An availability check of certain houses ignores it,
 * because the check itself determines which can be booked (content.md 8.1.3).
 */
const bookableFilter: Filter = {
  ...bookable,
  notBeside: ['availabilitycheck', 'idfilter'],
  read: (scope) => {
    const { availabilitycheck, idfilter } = scope.query
    return availabilitycheck === true && idfilter !== undefined ? undefined : bookable.read(scope)
  },
}

/** Filters of the accommodation list in addition to those of every list (interface 4.5). */
export const accommodationFilters: readonly Filter[] = [
  { ...idFilter({ name: 'idfilter', aliases: ['idlist'] }), name: 'idlist' },
  ...masks,
  listFilter({
    name: 'featureidfilter',
    description: 'Identifiers over all features, any of them; case-sensitive',
    example: 'A1B2',
    condition: (items) => sql`feature_ids && ${items}::text[]`,
  }),
  rangeFilter({
    name: 'altitudefilter',
    description: 'Altitude of the house',
    unit: 'metres',
    column: sql`altitude`,
    choice: { label: ['Höhe', 'Altitudine', 'Altitude'], field: 'Altitude' },
  }),
  bookableFilter,
  ...availabilityParameters,
]

/** Filters that a request for one accommodation accepts: those of an availability check. */
export const accommodationItemFilters: readonly Filter[] = [boardFilter, ...availabilityParameters]
