import { smoothNoise } from '../random.ts'
import { day, hour } from '../setting.ts'

/** How busy things are through a day and a week: 0 is empty, 1 is full. One figure for each hour. */
const profiles = {
  commuting: {
    week: [
      4, 3, 3, 3, 5, 15, 42, 78, 88, 72, 60, 58, 62, 60, 58, 64, 78, 90, 76, 48, 30, 20, 13, 7,
    ],
    end: [6, 5, 4, 3, 4, 7, 14, 24, 36, 48, 55, 56, 48, 46, 50, 54, 55, 52, 44, 34, 25, 19, 14, 9],
  },
  shopping: {
    week: [
      8, 7, 6, 6, 7, 10, 18, 35, 58, 76, 86, 84, 66, 58, 66, 78, 84, 80, 62, 40, 26, 18, 13, 10,
    ],
    end: [9, 8, 7, 6, 7, 9, 14, 28, 56, 84, 97, 94, 76, 68, 74, 80, 76, 62, 48, 36, 30, 24, 17, 12],
  },
  leisure: {
    week: [2, 2, 1, 1, 2, 4, 9, 17, 28, 40, 48, 50, 47, 48, 52, 50, 44, 38, 28, 18, 12, 8, 5, 3],
    end: [3, 2, 2, 1, 2, 4, 10, 26, 52, 78, 92, 96, 90, 92, 94, 86, 70, 52, 34, 22, 14, 9, 6, 4],
  },
  home: {
    week: [
      84, 86, 88, 88, 84, 74, 56, 38, 30, 27, 28, 32, 36, 34, 31, 32, 38, 48, 60, 68, 74, 78, 80,
      82,
    ],
    end: [
      80, 82, 84, 84, 82, 78, 70, 60, 50, 44, 42, 44, 48, 46, 43, 44, 48, 54, 60, 66, 70, 74, 77,
      79,
    ],
  },
} as const

export type Profile = keyof typeof profiles

/** The region's clock: an hour ahead of UTC. Summer time is left out; a rhythm need not be so exact. */
const zone = hour

/** 1970 began on a Thursday: days 2 and 3 of the weeks counted from then are Saturday and Sunday. */
function isWeekend(time: number): boolean {
  const weekday = Math.floor((time + zone) / day) % 7
  return weekday === 2 || weekday === 3
}

/** Hours since midnight, with fraction. */
export function hourOfDay(time: number): number {
  return ((time + zone) % day) / hour
}

/** The load of a profile at a time in ms since 1970. */
function loadAt(profile: Profile, time: number): number {
  const hours = hourOfDay(time)
  const whole = Math.floor(hours)
  const curve = profiles[profile][isWeekend(time) ? 'end' : 'week']
  const here = curve[whole] ?? 0
  const next = curve[(whole + 1) % 24] ?? 0
  return (here + (next - here) * (hours - whole)) / 100
}

/** The load at one place: the profile, more on some days than on others, with a little unrest. */
export function busyness(profile: Profile, hash: number, time: number): number {
  const mood = 0.7 + 0.5 * smoothNoise(hash, time / (18 * hour))
  const unrest = (smoothNoise(hash + 1, time / (0.6 * hour)) - 0.5) * 0.14
  return Math.min(1, Math.max(0, loadAt(profile, time) * mood + unrest))
}

/** Air temperature in °C: by season, height and hour, with spells of warm and cold weather. */
export function airTemperature(altitude: number, hash: number, time: number): number {
  const yearly = Math.cos(((time / day - 15) / 365.25) * 2 * Math.PI)
  const daily = Math.cos(((hourOfDay(time) - 15) / 12) * Math.PI)
  const spell = (smoothNoise(77, time / (3.5 * day)) - 0.5) * 10
  const local = (smoothNoise(hash, time / (2 * hour)) - 0.5) * 2.4
  return 12 - 11 * yearly - (altitude - 250) * 0.0062 + daily * 4.5 + spell + local
}

/** How wet it is: 0 on most days, up to 1 in heavy rain. The same front passes over all the region. */
export function wetness(hash: number, time: number): number {
  const front = smoothNoise(78, time / (16 * hour)) - 0.62
  const shower = smoothNoise(hash, time / (1.5 * hour))
  return Math.max(0, front * 2.4 * shower)
}
