import { airTemperature, busyness, wetness } from '../rhythms.ts'
import { noise } from '../../random.ts'
import {
  closed,
  daily,
  halfHour,
  hourly,
  open,
  quarterHour,
  tenths,
  threeHourly,
} from '../station-type.ts'
import type { Nature, StationType } from '../station-type.ts'

/** What counts, measures and tells on the roads. The motorway keeps its values closed. */

const vehicles = (perHour: number, period: number) => (nature: Nature, time: number) =>
  Math.round(
    ((perHour * period) / 3600) * nature.capacity * busyness('commuting', nature.hash, time),
  )

/** Minutes become more as the road fills. */
function travelTime(nature: Nature, time: number): number {
  return Math.round(
    nature.capacity * 60 * (1 + 0.8 * busyness('commuting', nature.hash, time) ** 3),
  )
}

function surface(nature: Nature, time: number): string {
  const wet = wetness(nature.hash, time)
  if (airTemperature(nature.altitude, nature.hash, time) < 0.5) return wet > 0 ? 'snowy' : 'frosty'
  return wet > 0.1 ? 'wet' : wet > 0 ? 'moist' : 'dry'
}

const signs = [
  '',
  '',
  '',
  'Abstand halten - Mantenere la distanza',
  'Stau - Coda',
  'Tempo 100',
  'Nebel - Nebbia',
] as const

export const trafficTypes: readonly StationType[] = [
  {
    name: 'TrafficSensor',
    count: 24,
    origins: [closed('A22'), open('FAMAS-traffic')],
    prefix: 'counter',
    where: {},
    capacity: [1, 4],
    title: ({ de, it, number }) => `${de} / ${it} km ${number}`,
    metadata: (random, capacity) => ({
      lanes: capacity,
      sensor_type: random.pick(['loop', 'radar']),
    }),
    series: [
      { dataType: 'Nr. Light Vehicles', period: quarterHour, value: vehicles(520, quarterHour) },
      { dataType: 'Nr. Heavy Vehicles', period: hourly, value: vehicles(85, hourly) },
      {
        dataType: 'average-speed',
        period: hourly,
        value: (nature, time) => tenths(96 - 48 * busyness('commuting', nature.hash, time) ** 2),
      },
    ],
  },
  {
    name: 'TrafficDirection',
    count: 48,
    origins: [closed('A22')],
    prefix: 'direction',
    parent: { type: 'TrafficSensor', childrenPerParent: 2 },
    where: {},
    capacity: [1, 2],
    title: ({ number }) => `direction ${number % 2 === 0 ? 'south' : 'north'}`,
    metadata: (_, capacity) => ({ lanes: capacity }),
    series: [{ dataType: 'Nr. Vehicles', period: hourly, value: vehicles(600, hourly) }],
  },
  {
    name: 'TrafficForecast',
    count: 10,
    origins: [closed('A22')],
    prefix: 'outlook',
    where: {},
    capacity: [1, 1],
    title: ({ de, it }) => `${de} / ${it}`,
    metadata: () => ({ horizon: '24 h' }),
    series: [
      {
        dataType: 'traffic-forecast',
        period: threeHourly,
        lead: daily,
        value: (nature, time) => {
          const load = busyness('commuting', nature.hash, time)
          return {
            north: Math.ceil(load * 4),
            south: Math.ceil(load * 3.4),
            scale: '1 free to 4 jammed',
          }
        },
      },
    ],
  },
  {
    name: 'RWISstation',
    count: 16,
    origins: [closed('A22'), open('InfoMobility')],
    prefix: 'rwis',
    where: {},
    capacity: [1, 1],
    title: ({ de, it }) => `${de} / ${it} road weather`,
    metadata: (random) => ({ manufacturer: 'demo', height: random.between(2, 6) }),
    series: [
      {
        dataType: 'road-surface-temperature',
        period: halfHour,
        value: ({ altitude, hash }, time) =>
          tenths(airTemperature(altitude, hash, time) * 0.9 + 1.5),
      },
      { dataType: 'road-condition', period: hourly, value: surface },
    ],
  },
  {
    name: 'VMS',
    count: 32,
    origins: [closed('A22')],
    prefix: 'vms',
    where: { road: 'brenner' },
    capacity: [1, 3],
    title: ({ de, number }) => `VMS ${number} ${de}`,
    metadata: (random, capacity) => ({
      panels: capacity,
      direction: random.pick(['north', 'south']),
    }),
    series: [
      {
        dataType: 'vms-text',
        period: threeHourly,
        value: (nature, time) =>
          signs[Math.floor(noise(nature.hash, Math.floor(time / 10_800_000)) * signs.length)] ?? '',
      },
    ],
  },
  {
    name: 'BluetoothStation',
    count: 20,
    origins: [open('bluetoothbox')],
    prefix: 'bluetooth',
    where: {},
    capacity: [1, 3],
    title: ({ de, it, number }) => `${de} / ${it} box ${number}`,
    metadata: () => ({ notes: null }),
    series: [{ dataType: 'vehicle detection', period: halfHour, value: vehicles(260, halfHour) }],
  },
  {
    name: 'LinkStation',
    count: 20,
    origins: [open('NOI')],
    prefix: 'link',
    where: {},
    capacity: [4, 19],
    title: ({ de, it, number }) => `${de} / ${it} link ${number}`,
    metadata: (_, capacity) => ({ minutesWhenFree: capacity }),
    series: [
      { dataType: 'elapsed time (instantaneous)', period: quarterHour, value: travelTime },
      {
        dataType: 'level of service (instantaneous)',
        period: hourly,
        value: (nature, time) => 1 + Math.floor(busyness('commuting', nature.hash, time) * 3.99),
      },
    ],
  },
]
