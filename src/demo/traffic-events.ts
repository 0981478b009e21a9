import type { EventState, EventsObject, Texts } from './canonical.ts'
import { lineAlong, roads, sectionAt, siteOn } from './geography/roads.ts'
import type { Road } from './geography/roads.ts'
import { at } from './random.ts'
import type { Random } from './random.ts'
import { day, drawFor, historyDays, isoOf, minute } from './setting.ts'
import type { Setting, Span } from './setting.ts'
import { fill, perLanguage, placeTexts } from './phrase.ts'
import { demoTexts } from './texts.ts'
import type { TrafficKind } from './texts.ts'

type Reporter = {
  readonly origin: string
  /** True if its events are closed data. */
  readonly closed: boolean
  readonly roads: readonly Road[]
  /** New events per day at scale 1. */
  readonly perDay: number
}

/** What is reported at one time, in ms since 1970. */
type State = { readonly recorded: number; readonly item: EventState }

/** All times of events are multiples of ten minutes, so that a message contains several states. */
const grid = 10 * minute

/** Maximum number of days between the first and the last state of a series. */
const longestSeries = 24

type Birth = {
  readonly reporter: Reporter
  /** Days since 1970. */
  readonly today: number
  /** Index among the events of that day. */
  readonly index: number
}

/** Generates the states of one event, from the first to the last. The kinds alternate. */
function seriesOf(setting: Setting, { reporter, today, index }: Birth): readonly State[] {
  const random = drawFor(setting, 'traffic-event', reporter.origin, today, index)
  const kind = at(
    demoTexts.traffic.trafficKinds,
    (today * reporter.perDay + index) % demoTexts.traffic.trafficKinds.length,
  )
  const times = timesOf(random, kind, today)
  const draft = draftOf(setting, { random, kind, serial: today * 1000 + index, reporter })
  const end = kind.planned ? isoOf(times.end) : null
  const first = { ...draft, uuid: random.uuid(), start: isoOf(times.start), end }
  const later = laterStates(random, kind, times)
  return [
    { recorded: times.opened, item: first },
    ...later.map(({ recorded, change, addition }) => ({
      recorded,
      item: { ...first, ...change, uuid: random.uuid(), text: extend(first.text, addition) },
    })),
  ]
}

type Times = { readonly opened: number; readonly start: number; readonly end: number }

function timesOf(random: Random, { notice, lasts }: TrafficKind, today: number): Times {
  const toGrid = (minutes: number) => Math.floor((minutes * minute) / grid) * grid
  const opened = today * day + toGrid(random.between(0, day / minute - 1))
  const start = opened + toGrid(random.between(0, notice))
  return { opened, start, end: start + grid + toGrid(random.between(...lasts)) }
}

type Change = {
  readonly recorded: number
  readonly change: Partial<EventState>
  readonly addition: Texts
}

/**
 * Returns the later states of an event. Some planned events are cancelled; others change, and end
 * when they are over.
 */
function laterStates(
  random: Random,
  kind: TrafficKind,
  { opened, start, end }: Times,
): readonly Change[] {
  const halfway = (from: number, to: number) => from + Math.floor((to - from) / 2 / grid) * grid
  const off = halfway(opened, start)
  if (off > opened && random.chance(0.15)) {
    return [
      {
        recorded: off,
        change: { cancelled: true },
        addition: fill(demoTexts.traffic.cancellation),
      },
    ]
  }
  const changes: Change[] = []
  const middle = halfway(start, end)
  if (middle > opened && random.chance(0.6)) {
    const severity = random.pick(['low', kind.severity, 'high'])
    changes.push({
      recorded: middle,
      change: { severity },
      addition: fill(random.pick(demoTexts.traffic.updates)),
    })
  }
  if (!kind.planned) {
    changes.push({
      recorded: end,
      change: { end: isoOf(end) },
      addition: fill(demoTexts.traffic.ending),
    })
  }
  return changes
}

function extend(texts: Texts, addition: Texts): Texts {
  return perLanguage(texts, (language, text) => `${text} ${addition[language] ?? ''}`)
}

type Subject = {
  readonly random: Random
  readonly kind: TrafficKind
  readonly serial: number
  readonly reporter: Reporter
}

/** Returns what all states of a series have in common. */
function draftOf(setting: Setting, { random, kind, serial, reporter }: Subject) {
  const road = random.pick(reporter.roads)
  const share = random.next() * (1 - kind.extent)
  const { from, to } = sectionAt(setting.geography, road, share)
  const slots = {
    road: { de: `${road.number} ${road.de}`, it: `${road.number} ${road.it}`, en: road.number },
    ...{ from: placeTexts(from.place), to: placeTexts(to.place), km: random.between(2, 9) },
  }
  const kinds = kind.also === undefined ? [kind.tag] : [kind.also, kind.tag]
  const direction = random.pick(['north', 'south', 'both'])
  return {
    series: random.uuid(),
    name: `${reporter.origin}-${serial}`,
    description: null,
    category: `${kind.title.de} | ${kind.title.it}`,
    tags: ['announcement:traffic-event', ...kinds.map((tag) => `traffic-event:${tag}`)],
    severity: kind.severity,
    cancelled: false,
    title: fill(kind.title),
    text: fill(random.pick(kind.texts), slots),
    geometry: geometryOf(setting, road, { share, extent: kind.extent }),
    locationDescription: `${road.number} ${from.place.de}/${from.place.it} - ${to.place.de}/${to.place.it}`,
    metadata: { road: road.number, messageId: serial, direction },
    ...(kind.datex === undefined ? {} : { datex: kind.datex }),
  }
}

type Stretch = { readonly share: number; readonly extent: number }

function geometryOf({ geography }: Setting, road: Road, { share, extent }: Stretch) {
  if (extent > 0) {
    const coordinates = lineAlong(geography, road, [share, share + extent])
    return { type: 'LineString' as const, coordinates }
  }
  const { longitude, latitude } = siteOn(geography, road, share)
  return { type: 'Point' as const, coordinates: [longitude, latitude] }
}

/** Reporter of the motorway, and reporter of all other roads. */
const reporters: readonly Reporter[] = [
  { origin: 'PROVINCE_BZ', closed: false, roads: roads.slice(1), perDay: 8 },
  { origin: 'A22', closed: true, roads: roads.slice(0, 1), perDay: 5 },
]

/**
 * Traffic events. Each is a series of states: it starts, changes, and ends or is cancelled. The
 * events of a day depend only on the day, so history and live data match.
 */

/**
 * Generates the states of events that are reported in a span as canonical objects, the oldest first
 * for each origin.
 */
export function* eventsIn(setting: Setting, span: Span): Generator<EventsObject> {
  for (const reporter of reporters) {
    const { origin, closed } = reporter
    const provenance = { name: 'hub-demo', version: '1.0.0', lineage: origin }
    for (const [time, states] of byTime(statesIn(setting, reporter, span))) {
      const items = states.map(({ item }) => item)
      yield { kind: 'events', origin, closed, provenance, recorded: isoOf(time), items }
    }
  }
}

/** Returns the number of states that are reported in a span. */
export function countEvents(setting: Setting, span: Span): number {
  return reporters.reduce((sum, reporter) => sum + statesIn(setting, reporter, span).length, 0)
}

function byTime(states: readonly State[]): readonly (readonly [number, readonly State[]])[] {
  const groups = Map.groupBy(states, ({ recorded }) => recorded)
  return [...groups].sort(([left], [right]) => left - right)
}

function statesIn(setting: Setting, reporter: Reporter, { from, to }: Span): readonly State[] {
  const perDay = Math.max(1, Math.round(reporter.perDay * setting.scale))
  // An event that started before the history is not reported at all, because its first state would
  // be missing.
  const begin = setting.until - historyDays * day
  const states: State[] = []
  for (let today = Math.floor(from / day) - longestSeries; today * day <= to; today++) {
    for (let index = 0; index < perDay; index++) {
      const series = seriesOf(setting, { reporter, today, index })
      if ((series[0]?.recorded ?? 0) <= begin) continue
      states.push(...series.filter(({ recorded }) => recorded > from && recorded <= to))
    }
  }
  return states
}
