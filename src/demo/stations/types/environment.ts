import { airTemperature, busyness, hourOfDay, wetness } from '../rhythms.ts'
import { noise, smoothNoise } from '../../random.ts'
import { closed, daily, halfHour, hourly, open, tenths, threeHourly } from '../station-type.ts'
import type { Nature, StationType } from '../station-type.ts'

/** Weather and air, outdoors and indoors. */

const temperature = ({ altitude, hash }: Nature, time: number) =>
  tenths(airTemperature(altitude, hash, time))

function humidity({ altitude, hash }: Nature, time: number): number {
  const warm = airTemperature(altitude, hash, time)
  return Math.round(Math.min(100, Math.max(18, 74 - warm * 0.9 + wetness(hash, time) * 40)))
}

/** Something in the air that comes with traffic. */
const fume = (level: number) => (nature: Nature, time: number) =>
  tenths(
    level *
      (0.25 + busyness('commuting', nature.hash, time)) *
      (0.6 + smoothNoise(nature.hash, time / 90_000_000)),
  )

function symbol({ hash }: Nature, time: number): string {
  const wet = wetness(hash, time)
  if (wet > 0.25) return 'e rain'
  return wet > 0
    ? 'd overcast'
    : noise(hash, Math.floor(time / daily / 1000)) < 0.5
      ? 'a sunny'
      : 'b partly cloudy'
}

export const environmentTypes: readonly StationType[] = [
  {
    name: 'MeteoStation',
    count: 40,
    origins: [open('SIAG'), open('meteotrentino')],
    prefix: 'meteo',
    where: 'anywhere',
    capacity: [1, 1],
    title: ({ de, it }) => `${de} / ${it}`,
    metadata: (random) => ({ id: String(random.between(100, 999)), name_lld: null }),
    series: [
      { dataType: 'air-temperature', period: halfHour, value: temperature },
      { dataType: 'air-humidity', period: hourly, value: humidity },
      {
        dataType: 'precipitation',
        period: hourly,
        value: ({ hash }, time) => tenths(wetness(hash, time) * 6),
      },
      {
        dataType: 'wind-speed',
        period: hourly,
        value: ({ hash }, time) => tenths(smoothNoise(hash, time / 7_200_000) ** 2 * 14),
      },
    ],
  },
  {
    name: 'WeatherForecast',
    count: 60,
    origins: [open('province-meteo')],
    prefix: 'forecast',
    where: 'village',
    capacity: [1, 1],
    title: ({ de, it }) => `${de} / ${it}`,
    metadata: () => ({ model: 'demo', horizon: '48 h' }),
    series: [
      {
        dataType: 'forecast-air-temperature',
        period: threeHourly,
        lead: 2 * daily,
        value: temperature,
      },
      { dataType: 'qualitative-forecast', period: threeHourly, lead: 2 * daily, value: symbol },
    ],
  },
  {
    name: 'EnvironmentStation',
    count: 16,
    origins: [open('APPABZ'), closed('EURAC')],
    prefix: 'air',
    where: 'village',
    capacity: [1, 1],
    title: ({ de, it }) => `${de} / ${it} air`,
    metadata: (random) => ({ zone: random.pick(['urban', 'suburban', 'rural', 'traffic']) }),
    series: [
      { dataType: 'NO2', period: hourly, value: fume(38) },
      { dataType: 'PM10', period: hourly, value: fume(24) },
      {
        dataType: 'O3',
        period: hourly,
        value: ({ hash }, time) =>
          tenths(
            Math.max(4, 45 - 30 * Math.cos((hourOfDay(time) / 12 - 0.2) * Math.PI)) *
              (0.7 + 0.5 * smoothNoise(hash, time / 200_000_000)),
          ),
      },
    ],
  },
  {
    name: 'IndoorStation',
    count: 16,
    origins: [open('NOI')],
    prefix: 'room',
    where: 'village',
    capacity: [10, 60],
    title: ({ de, number }) => `${de} room ${number}`,
    metadata: (random, capacity) => ({ floor: random.between(0, 4), seats: capacity }),
    series: [
      {
        dataType: 'indoor-temperature',
        period: hourly,
        value: ({ hash }, time) => tenths(20.5 + 2.5 * busyness('commuting', hash, time)),
      },
      {
        dataType: 'co2-level',
        period: hourly,
        value: ({ hash }, time) => Math.round(430 + 620 * busyness('commuting', hash, time)),
      },
    ],
  },
]
