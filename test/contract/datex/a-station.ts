import type { CurrentStation, CurrentStations } from '../../../src/timeseries/index.ts'

/** Time of the values of these stations. */
const measured = new Date('2026-11-20T12:00:00Z')

type Given = Partial<Omit<CurrentStation, 'values'>> & { readonly values?: Readonly<Record<string, unknown>> }

/** Creates a station as the store returns it, with the fields that a test overrides. */
export function aStation({ values = {}, ...given }: Given): CurrentStation {
  return {
    id: 0,
    type: 'EChargingStation',
    code: 'S1',
    name: 'Bahnhof',
    origin: 'ALPERIA',
    active: true,
    position: { longitude: 11.35, latitude: 46.5 },
    parent: null,
    metadata: {},
    described: new Date('2026-11-19T08:00:00Z'),
    ...given,
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, { value, time: measured, written: new Date('2026-11-20T12:00:01Z') }]),
    ),
  }
}

export function current(...stations: readonly CurrentStation[]): CurrentStations {
  return { stations }
}
