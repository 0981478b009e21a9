import type { MobilityEvent } from '../../../src/timeseries/index.ts'
import type { Supplier } from '../../../src/traffic/index.ts'

/**
 * Creates a plausible event for tests: road works at a point, in their first version, without an
 * end.
 */
export function anEvent(differences: Partial<MobilityEvent> = {}): MobilityEvent {
  return {
    uuid: '6f1c2b34-0000-5000-8000-000000000001',
    series: '6f1c2b34-0000-5000-8000-00000000000a',
    origin: 'PROVINCE_BZ',
    name: '4711',
    description: null,
    category: null,
    tags: ['announcement:traffic-event', 'traffic-event:road-work'],
    severity: null,
    start: new Date('2026-05-10T22:00:00Z'),
    end: null,
    cancelled: false,
    title: { de: 'Baustelle', it: 'Cantiere', en: 'Road works' },
    text: { de: 'Nördlich von Vahrn.', it: 'A nord di Varna.' },
    geometry: { type: 'Point', coordinates: [11.6380410572096, 46.7459449772936] },
    locationDescription: null,
    metadata: {},
    datex: null,
    recorded: new Date('2026-05-10T22:05:00.123Z'),
    firstRecorded: new Date('2026-05-10T22:05:00.123Z'),
    version: 1,
    ...differences,
  }
}

export const supplier: Supplier = {
  country: 'it',
  language: 'it',
  nationalIdentifier: 'PROVINCE_BZ',
  titleEnd: '. ',
}
