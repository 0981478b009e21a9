import type { TrafficEvent } from './event.ts'

/** Returns an event for tests: a closure that starts at time 0 and lasts one hour. */
export function sampleEvent(changes: Partial<TrafficEvent> = {}): TrafficEvent {
  return {
    ...{ id: 'a', origin: 'PROVINCE_BZ', kinds: ['closure'], type: undefined, version: 1 },
    ...{ severity: 'high', road: 'SS12', start: 0, end: 3_600_000, isCancelled: false },
    ...{ recorded: 0, title: { de: 'Sperre', it: 'Chiusura' }, text: {}, place: undefined },
    ...{ geometry: { type: 'Point', coordinates: [11.3, 46.5] } },
    ...changes,
  }
}
