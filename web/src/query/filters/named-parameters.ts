import type { Dataset } from '../../dataset/query/index.ts'
import { readJson } from '../../api/index.ts'

/** Parameters that only the lists of some entities have; their titles are in the messages. */
type ParameterName =
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

/** An entry of a list of types, such as `/v1/AccommodationTypes`. */
export type Kind = {
  readonly Id: string
  readonly Bitmask?: number
  readonly Type?: string
  readonly TypeDesc?: Readonly<Record<string, string>>
}

/** The entries of the lists of types that the parameters of a dataset need, by the list. */
export type Kinds = ReadonlyMap<string, readonly Kind[]>

const most = 200

/** @throws RequestFailure */
export async function loadKinds(dataset: Dataset, signal: AbortSignal): Promise<Kinds> {
  const lists = new Set(
    namedParameters(dataset).flatMap((one) => ('list' in one ? [one.list] : [])),
  )
  const loaded = await Promise.all(
    [...lists].map(async (list) => {
      const path = `/v1/${list}`
      const { Items } = await readJson<{ readonly Items: readonly Kind[] }>(
        path,
        { pagesize: most },
        signal,
      )
      return [list, Items] as const
    }),
  )
  return new Map(loaded)
}

/** How an entry is called, in the language or in one that there is. */
export function titleOfKind({ Id, TypeDesc = {} }: Kind, language: string): string {
  return TypeDesc[language] ?? TypeDesc['en'] ?? TypeDesc['de'] ?? Id
}
