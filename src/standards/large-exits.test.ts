import { expect, it } from 'vitest'
import { aStation } from '../../test/contract/datex/a-station.ts'
import { turnsOfCompiler, turnsTooLong } from '../../test/fixtures/large-answers.ts'
import { inSlices } from '../async/index.ts'
import type { CurrentStation } from '../timeseries/index.ts'
import { datex3Exits } from './datex3/routes.ts'
import { gbfsExit, loadSystems } from './gbfs/index.ts'

const now = new Date('2026-06-01T12:00:00Z')
const numbered = <Item>(count: number, make: (number: string) => Item) =>
  Array.from({ length: count }, (_, index) => make(String(index)))

/** Thousands of stations for every exit. */
const stations: readonly CurrentStation[] = [
  ...numbered(3000, (code) =>
    aStation({ type: 'EChargingStation', code, metadata: { capacity: 2, city: 'Bozen' } }),
  ),
  ...numbered(6000, (code) =>
    aStation({
      type: 'EChargingPlug',
      code: `plug-${code}`,
      parent: { type: 'EChargingStation', code: String(Number(code) % 3000) },
      metadata: { outlets: [{ id: '1', outletTypeCode: 'Type2Mennekes', maxPower: 22 }] },
      values: { 'echarging-plug-status': 1 },
    }),
  ),
  ...numbered(5000, (code) =>
    aStation({
      type: 'ParkingStation',
      code,
      metadata: { capacity: 100, disabledcapacity: 3 },
      values: { free: 40 },
    }),
  ),
  ...numbered(10_000, (code) =>
    aStation({
      type: 'BikesharingStation',
      code,
      metadata: { 'total-bays': 9 },
      values: { 'number-available': 4 },
    }),
  ),
  ...numbered(5000, (code) =>
    aStation({
      type: 'Bicycle',
      code,
      metadata: { type: 'electric', 'battery-level': 50 },
      values: { availability: 1 },
    }),
  ),
]

const systems = await loadSystems(new URL('../../gbfs/demo', import.meta.url).pathname)
const deps = { publicUrl: 'https://hub.test', licences: new Map<string, string>(), secret: 's' }
const exits = [
  ...datex3Exits({ country: 'it', language: 'it' }),
  ...systems.slice(0, 1).map((system) => gbfsExit(system, deps)),
]

it.each(exits.map((exit) => [exit.name, exit] as const))(
  'builds thousands of stations without long blocking: %s',
  async (_name, exit) => {
    const moment = { now, before: new Map() }
    const build = () => inSlices(exit.build({ stations }, moment))
    // Code is slow when it runs for the first time.
    expect((await build()).published).toBeGreaterThan(2000)
    expect(await turnsTooLong(build)).toBeLessThanOrEqual(turnsOfCompiler)
  },
  60_000,
)
