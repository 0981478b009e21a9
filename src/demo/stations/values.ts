import { Type } from 'typebox'
import { readYaml } from '../../lang/read-yaml.ts'
import type { MeasurementItem } from '../../timeseries/index.ts'
import { noise, smoothNoise } from '../random.ts'
import { day, hour } from '../setting.ts'

/** Everything on which the values of a station depend. */
export type Nature = {
  /** Seed of its random values. */
  readonly hash: number
  /** Number of places, bays, seats or the like. */
  readonly capacity: number
  readonly altitude: number
  /** Longitude and latitude. */
  readonly position: readonly [number, number]
  /** Code of the parent, or an empty string. */
  readonly parent: string
}

/** Returns the value at a time in ms since 1970. It is the same each time that it is requested. */
export type ValueAt = (nature: Nature, time: number) => MeasurementItem[3]

/** Rounds to one decimal, as instruments do. */
function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

const busyWith =
  (profile: Profile) =>
  ({ hash }: Nature, time: number) =>
    busyness(profile, hash, time)
const [commuting, shopping, leisure] = [
  busyWith('commuting'),
  busyWith('shopping'),
  busyWith('leisure'),
]

/** Returns a random number that stays the same for some milliseconds. */
const chanceIn = (milliseconds: number, { hash }: Nature, time: number) =>
  noise(hash, Math.floor(time / milliseconds))
const threeHours = 3 * hour

function occupied(nature: Nature, time: number): number {
  const busy = nature.hash % 3 === 0 ? commuting : shopping
  return Math.round(nature.capacity * busy(nature, time))
}

/**
 * Returns a forecast of free places, which deviates from the true number by at most 7.5 percent of
 * the capacity.
 */
function foreseen(nature: Nature, time: number): number {
  const error = (smoothNoise(nature.hash + 9, time / 5_000_000) - 0.5) * 0.15
  const free = nature.capacity - occupied(nature, time)
  return Math.round(Math.min(nature.capacity, Math.max(0, free + error * nature.capacity)))
}

function foreseenRange(nature: Nature, time: number) {
  const mean = foreseen(nature, time)
  return { mean, lo: Math.max(0, mean - 12), hi: Math.min(nature.capacity, mean + 12), rmse: 6.5 }
}

const isCharging = (nature: Nature, time: number) =>
  chanceIn(hour, nature, time) < commuting(nature, time)

const isFree = (nature: Nature, time: number) =>
  chanceIn(threeHours, nature, time) > leisure(nature, time)

function trafficForecast(nature: Nature, time: number) {
  const load = commuting(nature, time)
  return { north: Math.ceil(load * 4), south: Math.ceil(load * 3.4), scale: '1 free to 4 jammed' }
}

function surface({ altitude, hash }: Nature, time: number): string {
  const wet = wetness(hash, time)
  if (airTemperature(altitude, hash, time) < 0.5) return wet > 0 ? 'snowy' : 'frosty'
  return wet > 0.1 ? 'wet' : wet > 0 ? 'moist' : 'dry'
}

const signs = [
  ...['', '', ''],
  'Abstand halten - Mantenere la distanza',
  'Stau - Coda',
  'Tempo 100',
  'Nebel - Nebbia',
] as const

function humidity({ altitude, hash }: Nature, time: number): number {
  const warm = airTemperature(altitude, hash, time)
  return Math.round(Math.min(100, Math.max(18, 74 - warm * 0.9 + wetness(hash, time) * 40)))
}

function sky({ hash }: Nature, time: number): string {
  const wet = wetness(hash, time)
  if (wet > 0.25) return 'e rain'
  if (wet > 0) return 'd overcast'
  return noise(hash, Math.floor(time / 86_400_000)) < 0.5 ? 'a sunny' : 'b partly cloudy'
}

/** Returns the ozone level. Ozone is formed by sunlight, so it peaks in the afternoon. */
function ozone({ hash }: Nature, time: number): number {
  const level = Math.max(4, 45 - 30 * Math.cos((hourOfDay(time) / 12 - 0.2) * Math.PI))
  return tenths(level * (0.7 + 0.5 * smoothNoise(hash, time / 200_000_000)))
}

/** Returns the position of a minibus, which circles around its stop and is parked at night. */
function position({ hash, position: [longitude, latitude] }: Nature, time: number) {
  const hours = hourOfDay(time)
  const isOut = hours > 6 && hours < 22
  const angle = (time / 5_400_000 + (hash % 100) / 16) * 2 * Math.PI
  const radius = isOut ? 0.004 : 0
  return {
    type: 'Point',
    coordinates: [
      Math.round((longitude + Math.cos(angle) * radius) * 1e5) / 1e5,
      Math.round((latitude + Math.sin(angle) * radius * 0.7) * 1e5) / 1e5,
    ],
    state: isOut ? 'in service' : 'parked',
  }
}

/** Functions for values, by their names in `station-types.yaml`. */
export const values: Readonly<Record<string, ValueAt>> = {
  occupied,
  vacant: (nature, time) => nature.capacity - occupied(nature, time),
  foreseen,
  foreseenRange,
  placeTaken: (nature, time) => (chanceIn(hour, nature, time) < shopping(nature, time) ? 1 : 0),
  chargersAvailable: (nature, time) => Math.round(nature.capacity * (1 - commuting(nature, time))),
  plugStatus: (nature, time) => (isCharging(nature, time) ? 0 : 1),
  chargerState: (nature, time) => (isCharging(nature, time) ? 'OCCUPIED' : 'FREE'),
  available: (nature, time) => Math.round(nature.capacity * (1 - 0.8 * leisure(nature, time))),
  isFree: (nature, time) => (isFree(nature, time) ? 1 : 0),
  bayState: (nature, time) => (isFree(nature, time) ? 'FREE' : 'OCCUPIED'),
  whereabouts: (nature, time) => (isFree(nature, time) ? nature.parent : 'on the road'),
  speed: (nature, time) => tenths(96 - 48 * commuting(nature, time) ** 2),
  trafficForecast,
  surfaceTemperature: ({ altitude, hash }, time) =>
    tenths(airTemperature(altitude, hash, time) * 0.9 + 1.5),
  surface,
  sign: (nature, time) =>
    signs[Math.floor(chanceIn(threeHours, nature, time) * signs.length)] ?? '',
  // Travel times increase with traffic.
  travelTime: (nature, time) =>
    Math.round(nature.capacity * 60 * (1 + 0.8 * commuting(nature, time) ** 3)),
  levelOfService: (nature, time) => 1 + Math.floor(commuting(nature, time) * 3.99),
  temperature: ({ altitude, hash }, time) => tenths(airTemperature(altitude, hash, time)),
  humidity,
  precipitation: ({ hash }, time) => tenths(wetness(hash, time) * 6),
  wind: ({ hash }, time) => tenths(smoothNoise(hash, time / 7_200_000) ** 2 * 14),
  sky,
  ozone,
  indoorTemperature: (nature, time) => tenths(20.5 + 2.5 * commuting(nature, time)),
  co2: (nature, time) => Math.round(430 + 620 * commuting(nature, time)),
  position,
  passengers: (nature, time) => Math.round(nature.capacity * leisure(nature, time) * 0.8),
}

/**
 * Functions for values that depend on a figure. `period` is the time between two values, in
 * seconds.
 */
export const scaledValues: Readonly<Record<string, (figure: number, period: number) => ValueAt>> = {
  /** The figure is the number per hour and lane at full load. */
  vehicles: (perHour, period) => (nature, time) =>
    Math.round(((perHour * period) / 3600) * nature.capacity * commuting(nature, time)),
  counted: (perHour) => (nature, time) =>
    Math.round((perHour / 4) * nature.capacity * leisure(nature, time)),
  /** Air pollution that comes from traffic. */
  fume: (level) => (nature, time) =>
    tenths(
      level *
        (0.25 + commuting(nature, time)) *
        (0.6 + smoothNoise(nature.hash, time / 90_000_000)),
    ),
}

const curve = Type.Array(Type.Number(), { minItems: 24, maxItems: 24 })
const rhythm = Type.Object({ week: curve, end: curve })

/** How busy things are during a day and a week. */
const profiles = readYaml(
  new URL('rhythms.yaml', import.meta.url),
  Type.Object({ commuting: rhythm, shopping: rhythm, leisure: rhythm, home: rhythm }),
)

type Profile = keyof typeof profiles

/**
 * Time zone of the region: one hour ahead of UTC. Daylight saving time is omitted, because rhythms
 * need not be that exact.
 */
const zone = hour

/**
 * Reports whether a time is on a weekend. 1970 started on a Thursday, so days 2 and 3 of the weeks
 * that are counted from then are Saturday and Sunday.
 */
function isWeekend(time: number): boolean {
  const weekday = Math.floor((time + zone) / day) % 7
  return weekday === 2 || weekday === 3
}

/** Returns the hours since midnight, with a fraction. */
function hourOfDay(time: number): number {
  return ((time + zone) % day) / hour
}

function loadAt(profile: Profile, time: number): number {
  const hours = hourOfDay(time)
  const whole = Math.floor(hours)
  const loads = profiles[profile][isWeekend(time) ? 'end' : 'week']
  const here = loads[whole] ?? 0
  const next = loads[(whole + 1) % 24] ?? 0
  return (here + (next - here) * (hours - whole)) / 100
}

/**
 * Returns the load at one place: its profile, more on some days than on others, with small
 * fluctuations.
 */
function busyness(profile: Profile, hash: number, time: number): number {
  const mood = 0.7 + 0.5 * smoothNoise(hash, time / (18 * hour))
  const unrest = (smoothNoise(hash + 1, time / (0.6 * hour)) - 0.5) * 0.14
  return Math.min(1, Math.max(0, loadAt(profile, time) * mood + unrest))
}

/**
 * Returns the air temperature in °C by season, altitude and hour, with spells of warm and cold
 * weather.
 */
function airTemperature(altitude: number, hash: number, time: number): number {
  const yearly = Math.cos(((time / day - 15) / 365.25) * 2 * Math.PI)
  const daily = Math.cos(((hourOfDay(time) - 15) / 12) * Math.PI)
  const spell = (smoothNoise(77, time / (3.5 * day)) - 0.5) * 10
  const local = (smoothNoise(hash, time / (2 * hour)) - 0.5) * 2.4
  return 12 - 11 * yearly - (altitude - 250) * 0.0062 + daily * 4.5 + spell + local
}

/**
 * Returns how wet it is: 0 on most days, up to 1 in heavy rain. The same front passes over the
 * whole region.
 */
function wetness(hash: number, time: number): number {
  const front = smoothNoise(78, time / (16 * hour)) - 0.62
  const shower = smoothNoise(hash, time / (1.5 * hour))
  return Math.max(0, front * 2.4 * shower)
}
