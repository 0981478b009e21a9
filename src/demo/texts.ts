import { Type } from 'typebox'
import type { Static } from 'typebox'
import { regionKeys } from './geography/places.ts'
import { readYaml } from '../lang/read-yaml.ts'

const texts = Type.Array(Type.String())

const threeLanguages = { de: Type.String(), it: Type.String(), en: Type.String() }

const phrase = Type.Object(threeLanguages)
const phrases = Type.Array(phrase)

/** A sentence in all languages in which some records are written. */
const widePhrases = Type.Array(
  Type.Object({
    ...threeLanguages,
    ...{ nl: Type.String(), cs: Type.String(), pl: Type.String() },
    ...{ fr: Type.String(), ru: Type.String() },
  }),
)

const originRow = Type.Object({
  key: Type.String(),
  ...threeLanguages,
  closed: Type.Optional(Type.Boolean()),
})

/** Identifier of a tag, and its name in German, Italian and English. */
const tagRow = Type.Tuple([Type.String(), Type.String(), Type.String(), Type.String()])

export type TagRow = Static<typeof tagRow>

/** Tags are listed from the general to the specific. */
const kind = { tags: texts, names: phrases, texts: phrases }

const sightKind = Type.Object(kind)

export type SightKind = Static<typeof sightKind>

const activityKind = Type.Object({ ...kind, season: Type.Enum(['summer', 'winter', 'all']) })

const trafficKind = Type.Object({
  tag: Type.String(),
  also: Type.Optional(Type.String({ description: 'A wider tag that events have as well' })),
  severity: Type.Enum(['low', 'medium', 'high']),
  planned: Type.Boolean({ description: 'Whether the end is known from the start' }),
  lasts: Type.Tuple([Type.Number(), Type.Number()], {
    description: 'Shortest and longest duration in minutes',
  }),
  notice: Type.Number({
    description: 'Minutes before its start at which it is announced, at most',
  }),
  extent: Type.Number({ description: 'Length as a share of the road; 0 is a spot' }),
  title: phrase,
  texts: phrases,
  datex: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

export type TrafficKind = Static<typeof trafficKind>

/** Texts of the demo's records, one file per subject. `fill` replaces `{slot}`. */
export const demoTexts = {
  happenings: readYaml(
    new URL('texts/happenings.yaml', import.meta.url),
    Type.Object({
      happeningKinds: Type.Array(Type.Object(kind)),
      organiserNames: phrases,
      meetingNames: phrases,
      meetingTexts: phrases,
      articleNames: phrases,
      articleTexts: phrases,
      venueNames: phrases,
      hallNames: phrases,
      webcamNames: phrases,
    }),
  ),
  landscapes: readYaml(
    new URL('texts/landscapes.yaml', import.meta.url),
    Type.Object({
      placeTexts: phrases,
      surroundings: phrases,
      skiTexts: phrases,
      associationNames: phrases,
      skiRegionNames: phrases,
      shorts: widePhrases,
      skiAreaName: phrase,
      snowStationName: phrase,
      metaRegionNames: Type.Array(
        Type.Object({ name: phrase, regions: Type.Array(Type.Enum([...regionKeys])) }),
      ),
      experienceAreaNames: phrases,
    }),
  ),
  lodging: readYaml(
    new URL('texts/lodging.yaml', import.meta.url),
    Type.Object({
      openings: phrases,
      middles: phrases,
      closings: phrases,
      shorts: widePhrases,
      houseNames: Type.Record(Type.String(), texts),
      roomNames: phrases,
      roomTexts: phrases,
    }),
  ),
  names: readYaml(
    new URL('texts/names.yaml', import.meta.url),
    Type.Object({
      houseStems: texts,
      houseEndings: texts,
      families: texts,
      firstNames: texts,
      streets: phrases,
      quarters: phrases,
      landmarks: phrases,
      sources: Type.Array(originRow),
      publishers: Type.Array(originRow),
    }),
  ),
  outdoors: readYaml(
    new URL('texts/outdoors.yaml', import.meta.url),
    Type.Object({
      activityKinds: Type.Array(activityKind),
      advice: phrases,
      gettingThere: phrases,
      shorts: widePhrases,
    }),
  ),
  sights: readYaml(
    new URL('texts/sights.yaml', import.meta.url),
    Type.Object({
      sightKinds: Type.Array(sightKind),
      gastronomyKinds: Type.Array(sightKind),
      shorts: widePhrases,
    }),
  ),
  skies: readYaml(
    new URL('texts/skies.yaml', import.meta.url),
    Type.Object({ skies: Type.Array(tagRow), evolutionTitles: texts, evolutions: texts }),
  ),
  tags: readYaml(
    new URL('texts/tags.yaml', import.meta.url),
    Type.Object({
      categories: Type.Record(Type.String(), Type.Array(tagRow)),
      trafficTags: Type.Array(tagRow),
    }),
  ),
  traffic: readYaml(
    new URL('texts/traffic.yaml', import.meta.url),
    Type.Object({
      trafficKinds: Type.Array(trafficKind),
      updates: phrases,
      ending: phrase,
      cancellation: phrase,
    }),
  ),
}
