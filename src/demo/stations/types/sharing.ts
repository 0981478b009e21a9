import { busyness } from '../rhythms.ts'
import { noise } from '../../random.ts'
import { hourly, open, sixHourly, threeHourly } from '../station-type.ts'
import type { Nature, StationType } from '../station-type.ts'

/** Shared cars and bicycles, and where bicycles are left. */

function available(nature: Nature, time: number): number {
  return Math.round(nature.capacity * (1 - 0.8 * busyness('leisure', nature.hash, time)))
}

const isFree = (nature: Nature, time: number) =>
  noise(nature.hash, Math.floor(time / 10_800_000)) > busyness('leisure', nature.hash, time) ? 1 : 0

const free = { dataType: 'free', period: hourly, value: available } as const
const numberAvailable = { dataType: 'number-available', period: hourly, value: available } as const

export const sharingTypes: readonly StationType[] = [
  {
    name: 'BikesharingStation',
    count: 16,
    origins: [open('BIKE_SHARING_BOLZANO'), open('PAPIN')],
    prefix: 'bikesharing',
    where: 'village',
    capacity: [6, 24],
    title: ({ de, it }) => `${de} / ${it} bike`,
    metadata: (_, capacity) => ({ 'total-bays': capacity, address: null }),
    series: [numberAvailable],
  },
  {
    name: 'Bicyclestationbay',
    count: 32,
    origins: [open('BIKE_SHARING_BOLZANO')],
    prefix: 'bay',
    parent: { type: 'BikesharingStation', childrenPerParent: 2 },
    where: 'village',
    capacity: [1, 1],
    title: ({ number }) => `bay ${number}`,
    metadata: (random) => ({ charger: random.chance(0.4), use: 'public' }),
    series: [
      {
        dataType: 'usageState',
        period: threeHourly,
        value: (nature, time) => (isFree(nature, time) === 1 ? 'FREE' : 'OCCUPIED'),
      },
    ],
  },
  {
    name: 'Bicycle',
    count: 48,
    origins: [open('BIKE_SHARING_BOLZANO')],
    prefix: 'bicycle',
    parent: { type: 'BikesharingStation', childrenPerParent: 3 },
    where: 'village',
    capacity: [1, 1],
    title: ({ number }) => `bicycle ${number}`,
    metadata: (random) => ({
      type: random.pick(['muscular', 'electric']),
      'battery-level': random.between(20, 100),
    }),
    series: [{ dataType: 'availability', period: threeHourly, value: isFree }],
  },
  {
    name: 'CarsharingStation',
    count: 16,
    origins: [open('HAL-API'), open('AlpsGo')],
    prefix: 'carsharing',
    where: 'village',
    capacity: [2, 6],
    title: ({ de, it }) => `${de} / ${it} car`,
    metadata: (random, capacity) => ({
      availableVehicles: capacity,
      company: { shortName: random.pick(['AlpsGo', 'CSB']), uid: '1' },
      hasFixedParking: true,
    }),
    series: [numberAvailable],
  },
  {
    name: 'CarsharingCar',
    count: 32,
    origins: [open('HAL-API'), open('AlpsGo')],
    prefix: 'car',
    parent: { type: 'CarsharingStation', childrenPerParent: 2 },
    where: 'village',
    capacity: [1, 1],
    title: ({ number }) => `car ${number}`,
    metadata: (random) => ({
      brand: random.pick(['VW Up', 'Fiat 500e', 'Renault Zoe', 'Skoda Fabia']),
      licensePlate: `XX ${random.between(100, 999)} YY`,
    }),
    series: [
      { dataType: 'availability', period: hourly, value: isFree },
      {
        dataType: 'current-station',
        period: sixHourly,
        value: (nature, time) => (isFree(nature, time) === 1 ? nature.parent : 'on the road'),
      },
    ],
  },
  {
    name: 'CarpoolingHub',
    count: 12,
    origins: [open('FLOOTA')],
    prefix: 'carpooling',
    where: 'village',
    capacity: [1, 1],
    title: ({ de, it }) => `${de} / ${it} carpooling`,
    metadata: (random) => ({
      address: null,
      meetingPoint: random.pick(['church', 'station', 'car park']),
    }),
    series: [],
  },
  {
    name: 'BikeParkingLocation',
    count: 12,
    origins: [open('STA')],
    prefix: 'bikeboxes',
    where: 'village',
    capacity: [10, 60],
    title: ({ de, it }) => `${de} / ${it} Bikebox`,
    metadata: (_, capacity) => ({
      capacity,
      netex_parking: { type: 'cycleParking', vehicletypes: 'cycle' },
    }),
    series: [free],
  },
  {
    name: 'BikeParking',
    count: 24,
    origins: [open('STA')],
    prefix: 'bikebox',
    parent: { type: 'BikeParkingLocation', childrenPerParent: 2 },
    where: 'village',
    capacity: [5, 30],
    title: ({ number }) => `boxes ${number}`,
    metadata: (_, capacity) => ({ capacity, covered: true }),
    series: [free],
  },
]
