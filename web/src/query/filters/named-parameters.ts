import type { Dataset } from '../../dataset/query/index.ts'

/** Parameters that only the lists of some entities have; their titles are in the messages. */
export type ParameterName =
  | 'begindate'
  | 'enddate'
  | 'begin'
  | 'end'
  | 'startdate'
  | 'datefrom'
  | 'dateto'
  | 'typefilter'
  | 'categoryfilter'
  | 'boardfilter'
  | 'featurefilter'
  | 'themefilter'
  | 'badgefilter'
  | 'type'
  | 'activitytype'
  | 'poitype'
  | 'difficultyfilter'
  | 'altitudefilter'
  | 'distancefilter'
  | 'durationfilter'
  | 'highlight'
  | 'hasimage'
  | 'topicfilter'

/** How a parameter is chosen. */
export type NamedParameter = { readonly name: ParameterName } & (
  | { readonly kind: 'date' }
  /** Yes or not said. */
  | { readonly kind: 'flag' }
  /** Two bounds with a comma between them. */
  | { readonly kind: 'range'; readonly unit: 'metre' | 'kilometre' | 'hour' }
  /** A sum of bits, one for each entry of a list of types, of those of a group. */
  | { readonly kind: 'bits'; readonly list: string; readonly group: string }
  /** Identifiers with commas, of a list of types. */
  | { readonly kind: 'ids'; readonly list: string }
)

const date = (name: ParameterName): NamedParameter => ({ name, kind: 'date' })
const bits = (name: ParameterName, list: string, group: string): NamedParameter => ({
  name,
  kind: 'bits',
  list,
  group,
})

const known: Readonly<Record<string, readonly NamedParameter[]>> = {
  Accommodation: [
    bits('typefilter', 'AccommodationTypes', 'Type'),
    bits('categoryfilter', 'AccommodationTypes', 'Category'),
    bits('boardfilter', 'AccommodationTypes', 'Board'),
    bits('featurefilter', 'AccommodationTypes', 'SpecialFeature'),
    bits('themefilter', 'AccommodationTypes', 'Theme'),
    bits('badgefilter', 'AccommodationTypes', 'Badge'),
    { name: 'altitudefilter', kind: 'range', unit: 'metre' },
  ],
  HubActivityPoi: [
    bits('type', 'HubActivityPoiTypes', 'Type'),
    bits('activitytype', 'HubActivityPoiTypes', 'Activity'),
    bits('poitype', 'HubActivityPoiTypes', 'Poi'),
    { name: 'distancefilter', kind: 'range', unit: 'kilometre' },
    { name: 'durationfilter', kind: 'range', unit: 'hour' },
    { name: 'highlight', kind: 'flag' },
    { name: 'hasimage', kind: 'flag' },
  ],
  Event: [
    date('begindate'),
    date('enddate'),
    { name: 'topicfilter', kind: 'ids', list: 'EventTopics' },
  ],
  EventShort: [date('startdate'), date('enddate')],
  Article: [date('startdate'), date('enddate')],
  Weather: [date('datefrom'), date('dateto')],
  Announcement: [date('begin'), date('end')],
}

/** The parameters that the list of a dataset has beside those of all. */
export function namedParameters({ service, type }: Dataset): readonly NamedParameter[] {
  return service === 'content' ? (known[type] ?? []) : []
}

/** The bits of a sum that are set. */
export function bitsOf(sum: string, bitmasks: readonly number[]): readonly number[] {
  const number = Number(sum)
  return bitmasks.filter((bit) => bit > 0 && Math.floor(number / bit) % 2 === 1)
}
