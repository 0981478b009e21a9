import { change, choice, flag, parameter, text, texts } from '../address/index.ts'
import { severities } from './events/event.ts'
import type { Severity } from './events/event.ts'
import { eventStates } from './events/filter.ts'
import type { EventState } from './events/filter.ts'
import { zooms } from './span.ts'

/** Binds the user's choices to the URL. */
export function trafficChoice() {
  const kinds = parameter('kind', texts())
  const severity = parameter('severity', choice<Severity | ''>(['', ...severities]))
  const road = parameter('road', text())
  const provider = parameter('provider', text())
  const state = parameter('state', choice<EventState | ''>(['', ...eventStates]))
  const search = parameter('q', text())
  const zoom = parameter('zoom', choice(zooms))
  const day = parameter('from', text())
  const selected = parameter('event', text())
  const isOff = parameter('unfollowed', flag())
  return {
    ...{ kinds, severity, road, provider, state, search, zoom, day, selected, isOff },
    /** The current filter of the events. */
    get filter() {
      return {
        kinds: kinds.value,
        severity: severity.value,
        road: road.value,
        provider: provider.value,
        state: state.value,
        text: search.value,
      }
    },
    get isFiltered() {
      return [kinds, severity, road, provider, state, search].some(({ isSet }) => isSet)
    },
    clear: () => {
      change((address) => {
        for (const name of ['kind', 'severity', 'road', 'provider', 'state', 'q'])
          address.delete(name)
      }, 'push')
    },
  }
}

export type TrafficChoice = ReturnType<typeof trafficChoice>
