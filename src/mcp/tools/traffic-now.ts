import { Type } from 'typebox'
import { AppError } from '../../errors/index.ts'
import { objectsOf } from '../../lang/json.ts'
import type { Ask, Parameters } from '../ask-hub.ts'
import { joined } from '../conditions.ts'
import { findDataset } from '../dataset.ts'
import type { Dataset } from '../dataset.ts'
import { placeArguments, placeOf } from '../place.ts'
import { fit } from '../result.ts'
import type { Result } from '../result.ts'
import { cursor, defineTool, language, limit } from '../tool.ts'

/** What hinders traffic. */
export const trafficNow = defineTool({
  name: 'traffic_now',
  title: 'Traffic now',
  description:
    'Traffic situations that are in force now, or at another time: closures, road works, accidents, congestion, bad weather on roads. Filters by provider, by kind, by severity (high, medium, low), by road, and by distance from a place. Statistics of all announcements: group_and_count of content/Announcement.',
  fields: {
    ...placeArguments,
    radius: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: 200_000, default: 15_000 },
        description: 'Metres around the place',
      }),
    ),
    origin: Type.Optional(Type.String({ maxLength: 200, description: 'Provider of the events' })),
    kind: Type.Optional(
      Type.String({
        ...{ maxLength: 200, pattern: '^[^,()]+$', examples: ['traffic-event:road-work'] },
        description: 'Tag of describe_dataset content/Announcement; the prefix may be left out',
      }),
    ),
    severity: Type.Optional(Type.Enum(['high', 'medium', 'low'])),
    road: Type.Optional(
      Type.String({
        maxLength: 50,
        pattern: '^[\\w .-]+$',
        examples: ['SS38'],
        description: 'Number of the road',
      }),
    ),
    at: Type.Optional(
      Type.String({
        pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$`,
        description: 'The time in question, in UTC such as 2026-11-20T08:00:00Z; default: now',
      }),
    ),
    language,
    limit,
    cursor,
  },
  run: async (given, { ask, now }) => {
    const { language: chosen = 'en', limit: most = 10, kind, origin } = given
    const { time = given.at ?? now().toISOString(), inner } = openCursor(given.cursor)
    const { latitude, longitude, radius } = await circleOf(ask, given)
    const dataset = await findDataset(ask, 'content/Announcement')
    const query = {
      ...{ begin: time, end: time, source: origin, cursor: inner, language: chosen },
      ...{ latitude, longitude, radius, removenullvalues: true, fields: fieldsIn(chosen) },
      tagfilter: kind === undefined || kind.includes(':') ? kind : `traffic-event:${kind}`,
      rawfilter: joined([
        ...conditionOn('Severity', given.severity),
        ...conditionOn('Metadata.road', given.road),
      ]),
    }
    return situations(ask, dataset, { query, most, time })
  },
})

type Wanted = { readonly query: Parameters; readonly most: number; readonly time: string }

async function situations(ask: Ask, dataset: Dataset, wanted: Wanted): Promise<Result> {
  const { query, most, time } = wanted
  const answer = await ask(dataset.list, { ...query, pagesize: most })
  const found = objectsOf(answer.body['Items'])
  const items = fit(found)
  if (items.length < found.length) {
    return situations(ask, dataset, { ...wanted, most: items.length })
  }
  const next = answer.cursor === undefined ? undefined : `${time}~${answer.cursor}`
  const total = Number(answer.body['TotalResults'])
  return { answer, facts: dataset.facts, total, cursor: next, data: { at: time, items } }
}

/** What a cursor belongs to includes the time, so it carries it. */
function openCursor(cursor: string | undefined): {
  readonly time?: string
  readonly inner?: string
} {
  if (cursor === undefined) return {}
  const [time = '', inner] = cursor.split('~')
  if (inner !== undefined && !Number.isNaN(Date.parse(time))) return { time, inner }
  throw new AppError('HUB-QRY-001', 'The cursor is not one of this tool.', {
    hint: 'Use the cursor of the result before, or none.',
  })
}

type Where = Parameters_ & { readonly radius?: number }
type Parameters_ = {
  readonly place?: string
  readonly latitude?: number
  readonly longitude?: number
}

async function circleOf(ask: Ask, given: Where) {
  const isAnywhere = given.place === undefined && given.latitude === undefined
  if (isAnywhere) return {}
  const { latitude, longitude } = await placeOf(ask, given)
  return { latitude, longitude, radius: given.radius ?? 15_000 }
}

const event = 'AdditionalProperties.MobilityEvent'

function conditionOn(field: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`eq(${event}.${field},'${value}')`]
}

const fieldsIn = (chosen: string) => [
  `Detail.${chosen}.Title`,
  `Detail.${chosen}.BaseText`,
  ...['StartTime', 'EndTime', 'TagIds', 'Source'],
  ...['Severity', 'Metadata.road', 'LocationDescription'].map((field) => `${event}.${field}`),
  ...['Geo.position.Latitude', 'Geo.position.Longitude'],
]
