import type { Naming } from '../naming.ts'
import {
  badges,
  boards,
  categories,
  lodgings,
  specialFeatures,
  themes,
} from './accommodation-types.ts'
import { activities, pois, types } from './activity-poi-types.ts'
import { articleTypes } from './article-types.ts'
import { eventLocations } from './event-short-types.ts'
import type { TypeRow } from './type-row.ts'

/** One list of types (decision D36a): what stands in code, and what stored tags say. */
export type TypeList = {
  /** Path below `/v1`. */
  readonly path: string
  readonly summary: string
  /** Rows by the value of `Type`; their places are the bits of a mask. */
  readonly masks: Readonly<Record<string, readonly TypeRow[]>>
  /**
   * Rows without a mask, by the value of `Type`: the types of the tags that they are made of. Which bit a
   * deployment means by such a tag is not known, so their Bitmask is 0.
   */
  readonly tagged: Readonly<Record<string, readonly string[]>>
}

/** Every list of types; a new one is one entry here. */
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
