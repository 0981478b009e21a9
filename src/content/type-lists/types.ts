import { Type } from 'typebox'
import type { Static } from 'typebox'
import { readYaml } from '../../lang/read-yaml.ts'
import type { Naming } from '../naming.ts'

/** A type as type lists show it: its code in records, and its names. */
export type TypeRow = {
  readonly code: string
  /** Readable form of the code: the code itself or, for tags, the German name. */
  readonly key: string
  readonly names: { readonly de: string; readonly it: string; readonly en: string }
}

/** Codes with their names in German, Italian and English. */
const rows = Type.Record(Type.String(), Type.Tuple([Type.String(), Type.String(), Type.String()]))

const known = readYaml(
  new URL('types.yaml', import.meta.url),
  Type.Object({
    ...{ lodgings: rows, categories: rows, boards: rows, specialFeatures: rows, themes: rows },
    ...{ badges: rows, types: rows, activities: rows, pois: rows, articleTypes: rows },
    eventLocations: rows,
  }),
)

function typeRows(named: Static<typeof rows>): readonly TypeRow[] {
  return Object.entries(named).map(([code, [de, it, en]]) => ({
    code,
    key: code,
    names: { de, it, en },
  }))
}

/** Returns rows for codes in lower case, whose key is the German name. */
function tagRows(named: Static<typeof rows>): readonly TypeRow[] {
  return typeRows(named).map((row) => ({ ...row, key: row.names.de }))
}

/** Returns the codes that the bits of a mask stand for, from 1 upwards. */
export const maskCodes = (types: readonly TypeRow[]): readonly string[] =>
  types.map(({ code }) => code)

export const lodgings = typeRows(known.lodgings)
export const categories = typeRows(known.categories)
export const boards = typeRows(known.boards)
export const specialFeatures = typeRows(known.specialFeatures)
export const themes = typeRows(known.themes)
export const badges = typeRows(known.badges)
export const types = tagRows(known.types)
export const activities = tagRows(known.activities)
export const pois = tagRows(known.pois)
export const articleTypes = tagRows(known.articleTypes)
export const eventLocations = typeRows(known.eventLocations)

/** A list of types (decision D36a), with rows from the code and rows from stored tags. */
export type TypeList = {
  /** Path below `/v1`. */
  readonly path: string
  readonly summary: string
  /** Rows by the value of `Type`. The position of a row is its bit in the mask. */
  readonly masks: Readonly<Record<string, readonly TypeRow[]>>
  /**
   * Types of the tags that become rows without a mask, by the value of `Type`. Their Bitmask is 0,
   * because it is not known which bit a deployment assigns to such a tag.
   */
  readonly tagged: Readonly<Record<string, readonly string[]>>
}

/** Returns every list of types. A new list is one more entry here. */
export const typeListsOf = ({ activityPoiTypes }: Naming): readonly TypeList[] => [
  {
    path: activityPoiTypes,
    summary: 'Types of activities and points of interest',
    masks: { Type: types, Activity: activities, Poi: pois },
    tagged: {},
  },
  ...others,
]

const others: readonly TypeList[] = [
  {
    path: 'AccommodationTypes',
    summary: 'Types of accommodations: kinds, categories, boards, themes, badges, features',
    masks: {
      Type: lodgings,
      Category: categories,
      Board: boards,
      Theme: themes,
      Badge: badges,
      SpecialFeature: specialFeatures,
    },
    tagged: {},
  },
  {
    path: 'AccommodationFeatures',
    summary: 'Features of accommodations',
    masks: { SpecialFeature: specialFeatures },
    tagged: { Feature: ['accommodationoption', 'accommodationtitle'] },
  },
  {
    path: 'EventTopics',
    summary: 'Topics of events',
    masks: {},
    tagged: { EventTopic: ['eventtopic'] },
  },
  {
    path: 'EventShortTypes',
    summary: 'Types of short events',
    masks: { EventLocation: eventLocations },
    tagged: { TechnologyFields: ['technologyfields'], CustomTagging: ['customtagging'] },
  },
  {
    path: 'ArticleTypes',
    summary: 'Types of articles',
    masks: { Type: articleTypes },
    tagged: {},
  },
  {
    path: 'VenueTypes',
    summary: 'Types of venues: categories, features, seating plans',
    masks: {},
    tagged: { Category: ['venuecategory'], Feature: ['venuefeature'], SeatType: ['venueseattype'] },
  },
]
