import type { EventsObject } from '../canonical.ts'
import { day, historyDays, isoOf } from '../setting.ts'
import type { Setting, Span } from '../setting.ts'
import { longestSeries, reporters, seriesOf } from './series.ts'
import type { Reporter, State } from './series.ts'

/**
 * Traffic events: each is a series of states that begin, change, and end or are called off. The events
 * of a day follow from the day alone, so history and life agree.
 */

/** The states of events that are told in a span, oldest first for each origin, as canonical objects. */
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

/** How many states are told in a span. */
export function countEvents(setting: Setting, span: Span): number {
  return reporters.reduce((sum, reporter) => sum + statesIn(setting, reporter, span).length, 0)
}

function byTime(states: readonly State[]): readonly (readonly [number, readonly State[]])[] {
  const groups = Map.groupBy(states, ({ recorded }) => recorded)
  return [...groups].sort(([left], [right]) => left - right)
}

function statesIn(setting: Setting, reporter: Reporter, { from, to }: Span): readonly State[] {
  const perDay = Math.max(1, Math.round(reporter.perDay * setting.scale))
  // What began before the history is not told at all: its first state would be missing.
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
