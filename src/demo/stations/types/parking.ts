import { busyness } from '../rhythms.ts'
import type { Profile } from '../rhythms.ts'
import { noise, smoothNoise } from '../../random.ts'
import { halfHour, hourly, open, threeHourly } from '../station-type.ts'
import type { Nature, StationType } from '../station-type.ts'

/** Car parks, single places and bicycle garages. */

const profileOf = ({ hash }: Nature): Profile => (hash % 3 === 0 ? 'commuting' : 'shopping')

function occupied(nature: Nature, time: number): number {
  return Math.round(nature.capacity * busyness(profileOf(nature), nature.hash, time))
}

/** A forecast is near the truth, and the farther ahead the less so. */
function foreseen(nature: Nature, time: number): number {
  const error = (smoothNoise(nature.hash + 9, time / 5_000_000) - 0.5) * 0.15
  const free = nature.capacity - occupied(nature, time)
  return Math.round(Math.min(nature.capacity, Math.max(0, free + error * nature.capacity)))
}

export const parkingTypes: readonly StationType[] = [
  {
    name: 'ParkingStation',
    count: 40,
    origins: [open('FAMAS'), open('skidata'), open('Municipality Merano')],
    prefix: 'parking',
    where: 'village',
    capacity: [35, 620],
    title: ({ de, it, number }) => `P${number} ${de} / ${it}`,
    metadata: (random, capacity) => ({
      capacity,
      municipality: null,
      disabledcapacity: Math.ceil(capacity / 40),
      standard_name: random.pick(['Zentrum', 'Bahnhof', 'Seilbahn', 'Krankenhaus', 'Therme']),
      netex_parking: {
        type: random.pick(['parkingZone', 'carPark']),
        layout: random.pick(['covered', 'openSpace', 'underground']),
        charging: random.chance(0.6),
        reservation: 'noReservations',
        surveillance: random.chance(0.7),
        vehicletypes: 'car',
      },
    }),
    series: [
      { dataType: 'occupied', period: halfHour, value: occupied },
      {
        dataType: 'free',
        period: halfHour,
        value: (nature, time) => nature.capacity - occupied(nature, time),
      },
      { dataType: 'parking-forecast-60', period: threeHourly, lead: 3600, value: foreseen },
      {
        dataType: 'parking-forecast-120',
        period: threeHourly,
        lead: 7200,
        value: (nature, time) => {
          const mean = foreseen(nature, time)
          return {
            mean,
            lo: Math.max(0, mean - 12),
            hi: Math.min(nature.capacity, mean + 12),
            rmse: 6.5,
          }
        },
      },
    ],
  },
  {
    name: 'ParkingSensor',
    count: 80,
    origins: [open('fuchtstechnik')],
    prefix: 'sensor',
    parent: { type: 'ParkingStation', childrenPerParent: 2 },
    where: 'village',
    capacity: [1, 1],
    title: ({ de, number }) => `${de} Stellplatz ${number}`,
    metadata: (random) => ({
      group: random.pick(['blue zone', 'short stay', 'residents', 'disabled']),
      battery: random.between(30, 100),
    }),
    series: [
      {
        dataType: 'occupied',
        period: hourly,
        value: (nature, time) =>
          noise(nature.hash, Math.floor(time / 3_600_000)) < busyness('shopping', nature.hash, time)
            ? 1
            : 0,
      },
    ],
  },
  {
    name: 'ParkingFacility',
    count: 10,
    origins: [open('STA')],
    prefix: 'facility',
    where: 'village',
    capacity: [60, 300],
    title: ({ de }) => `${de} Bahnhof, Parkanlage`,
    metadata: (_, capacity) => ({ capacity, provider: 'STA', operator: 'demo' }),
    series: [{ dataType: 'occupied', period: hourly, value: occupied }],
  },
]
