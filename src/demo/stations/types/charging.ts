import { busyness } from '../rhythms.ts'
import { noise } from '../../random.ts'
import { hourly, open, threeHourly } from '../station-type.ts'
import type { Nature, StationType } from '../station-type.ts'

/** Where cars and bicycles are charged. */

function inUse(nature: Nature, time: number): number {
  return noise(nature.hash, Math.floor(time / 3_600_000)) < busyness('commuting', nature.hash, time)
    ? 1
    : 0
}

function numberAvailable(nature: Nature, time: number): number {
  return Math.round(nature.capacity * (1 - busyness('commuting', nature.hash, time)))
}

export const chargingTypes: readonly StationType[] = [
  {
    name: 'EChargingStation',
    count: 60,
    origins: [open('ALPERIA'), open('route220')],
    prefix: 'charging',
    where: 'village',
    capacity: [2, 2],
    title: ({ de, number }) => `${de} E-${number}`,
    metadata: (random, capacity) => ({
      state: random.chance(0.95) ? 'ACTIVE' : 'TEMPORARYUNAVAILABLE',
      capacity,
      provider: random.pick(['Alperia Smart Mobility', 'Route220']),
      accessType: random.pick(['PUBLIC', 'PRIVATE_WITHPUBLICACCESS']),
      paymentInfo: 'https://charging.example',
      categories: ['CAR'],
    }),
    series: [{ dataType: 'number-available', period: hourly, value: numberAvailable }],
  },
  {
    name: 'EChargingPlug',
    count: 120,
    origins: [open('ALPERIA'), open('route220')],
    prefix: 'plug',
    parent: { type: 'EChargingStation', childrenPerParent: 2 },
    where: 'village',
    capacity: [1, 1],
    title: ({ number }) => `plug ${number}`,
    metadata: (random) => ({
      outlets: [
        {
          id: '1',
          minPower: 1.4,
          maxPower: random.pick([11, 22, 50, 150]),
          outletTypeCode: random.pick(['Type2Mennekes', 'CCS', 'CHAdeMO']),
          hasFixedCable: random.chance(0.5),
        },
      ],
      maxPower: 22,
    }),
    series: [
      {
        dataType: 'echarging-plug-status',
        period: hourly,
        value: (nature, time) => 1 - inUse(nature, time),
      },
    ],
  },
  {
    name: 'BIKE_CHARGER',
    count: 12,
    origins: [open('STA')],
    prefix: 'bikecharger',
    where: 'anywhere',
    capacity: [2, 2],
    title: ({ de }) => `${de} E-Bike`,
    metadata: (_, capacity) => ({ capacity, address: null }),
    series: [{ dataType: 'number-available', period: hourly, value: numberAvailable }],
  },
  {
    name: 'BIKE_CHARGER_BAY',
    count: 24,
    origins: [open('STA')],
    prefix: 'bikebay',
    parent: { type: 'BIKE_CHARGER', childrenPerParent: 2 },
    where: 'anywhere',
    capacity: [1, 1],
    title: ({ number }) => `bay ${number}`,
    metadata: (random) => ({ charger: random.chance(0.9), use: 'public' }),
    series: [
      {
        dataType: 'usageState',
        period: threeHourly,
        value: (nature, time) => (inUse(nature, time) === 1 ? 'OCCUPIED' : 'FREE'),
      },
    ],
  },
]
