import { afterAll, beforeAll, expect, it } from 'vitest'
import { toNaming } from '../../src/content/index.ts'
import { planRegion } from '../../src/demo/index.ts'
import { fieldsOf, listOf } from '../../src/lang/json.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { useSharingHub } from '../fixtures/gbfs/sharing-hub.ts'
import type { SharingHub } from '../fixtures/gbfs/sharing-hub.ts'
import type { Feed } from '../fixtures/gbfs/validate.ts'
import {
  describeWithGbfsValidator,
  readFeeds,
  validateFeeds,
  validateVersion2,
} from '../fixtures/gbfs/validate.ts'
import { describeWithSharedData, readShared } from '../fixtures/shared-data.ts'
import { fromBikeStation, fromRentals } from './real-records/stations.ts'
import { fromWriterPayload } from './real-records/writer-payload.ts'

/** The feeds of both hubs, which one start of Java validates together. */
const published: Feed[] = []

/** Declares tests that the systems of a hub are valid, and keeps their feeds. */
function areValid(hub: SharingHub, systems: readonly string[]): void {
  it.each(systems)('%s is valid in version 2.3, by a validator in JavaScript', async (system) => {
    const found = await validateVersion2(system, hub.read)
    expect(found).toEqual([
      expect.stringMatching(/^2\.3 gbfs .*station_information station_status free_bike_status/),
    ])
  })

  afterAll(async () => {
    published.push(...(await readFeeds(hub.read)))
  })
}

async function countAt(hub: SharingHub, path: string): Promise<number> {
  const { stations, vehicles } = fieldsOf(fieldsOf(await hub.read(path))['data'])
  return listOf(stations ?? vehicles).length
}

const types = ['BikesharingStation', 'Bicycle', 'CarsharingStation', 'CarsharingCar']

describeWithDatabase('GBFS of the demo', (database) => {
  const hub = useSharingHub(database, 'demo')

  beforeAll(async () => {
    const until = new Date('2026-11-20T12:00:00Z')
    const naming = toNaming('Hub')
    const region = planRegion({ seed: 1, scale: 1, until, naming, publicUrl: 'http://hub.test' })
    const isShared = ({ stationType }: { readonly stationType: string }) => types.includes(stationType)
    await hub.push([...region.dataTypes()])
    await hub.push([...region.stations()].filter(isShared))
    await hub.push([...region.live(new Date('2026-11-20T08:00:00Z'), until)].filter((one) => one.kind === 'measurements' && isShared(one)))
  })

  it('has stations and vehicles of both systems', async () => {
    for (const system of ['demo-bikes', 'demo-cars']) {
      expect(await countAt(hub, `/gbfs/${system}/3.0/station_status.json`)).toBeGreaterThan(10)
      expect(await countAt(hub, `/gbfs/${system}/3.0/vehicle_status.json`)).toBeGreaterThan(5)
    }
  })

  areValid(hub, ['demo-bikes', 'demo-cars'])
})

describeWithDatabase('GBFS of real stations, through push', (database) => {
  const hub = useSharingHub(database, 'south-tyrol')

  describeWithSharedData('of Bolzano, of shops that rent bicycles, and of AlpsGo', () => {
    beforeAll(async () => {
      const folder = 'data/timeseries'
      for (const messages of [
        fromBikeStation(readShared(`${folder}/bikesharing/bz-raw-station-01.json`)),
        fromRentals(readShared(`${folder}/bikesharing/papin-stations.json`)),
        fromWriterPayload('AlpsGo')(readShared(`${folder}/carsharing/alpsgo-bdp-out.json`)),
      ]) {
        for (const message of messages) await hub.push([message])
      }
    })

    it('shows a station with its bicycles', async () => {
      const read = async (file: string) =>
        fieldsOf(fieldsOf(await hub.read(`/gbfs/bolzano-bikes/3.0/${file}.json`))['data'])
      // The rental shops have no count of bicycles, and another origin.
      expect(listOf((await read('station_information'))['stations'])).toEqual([
        {
          station_id: 'TEST_ID01',
          lat: 46.497459,
          lon: 11.355516,
          name: ['it', 'de'].map((language) => ({
            text: 'TEST_Viale della Stazione - Bahnhofsallee',
            language,
          })),
          address: 'Viale Stazione, 5',
          capacity: 12,
        },
      ])
      expect(listOf((await read('station_status'))['stations'])).toEqual([
        {
          station_id: 'TEST_ID01',
          num_vehicles_available: 8,
          num_docks_available: 3,
          is_installed: true,
          is_renting: true,
          is_returning: true,
          last_reported: '2026-11-20T12:00:00Z',
          vehicle_types_available: [
            { vehicle_type_id: 'e-bike', count: 8 },
            { vehicle_type_id: 'bicycle', count: 0 },
          ],
        },
      ])
      // One of nine is in a bay that is out of service.
      expect(listOf((await read('vehicle_status'))['vehicles'])).toHaveLength(8)
    })

    it('shows the cars that are free at their stations', async () => {
      expect(await countAt(hub, '/gbfs/alpsgo-cars/3.0/station_status.json')).toBe(25)
      // The remaining cars are in use.
      expect(await countAt(hub, '/gbfs/alpsgo-cars/3.0/vehicle_status.json')).toBe(7)
    })

    areValid(hub, ['bolzano-bikes', 'alpsgo-cars'])
  })
})

describeWithGbfsValidator('GBFS, by a validator in Java', () => {
  it('is valid in all versions and languages', async () => {
    expect(published.length).toBeGreaterThan(7)
    const found = await validateFeeds(published)
    expect(found).toEqual(published.map(({ version, files }) => `${version} ${String(files.size)}`))
  })
})
