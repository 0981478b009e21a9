import type { Random } from '../random.ts'
import { fill } from '../texts/phrase.ts'

/** `OperationSchedule`: seasons that come every year, and the hours within them. */

const seasons = {
  summer: {
    name: { de: 'Sommersaison', it: 'Stagione estiva', en: 'Summer season' },
    from: '05-01T00:00:00',
    to: '10-31T00:00:00',
  },
  winter: {
    name: { de: 'Wintersaison', it: 'Stagione invernale', en: 'Winter season' },
    from: '12-01T00:00:00',
    to: '04-10T00:00:00',
  },
  all: {
    name: { de: 'Ganzjährig', it: 'Tutto l’anno', en: 'All year' },
    from: '01-01T00:00:00',
    to: '12-31T00:00:00',
  },
} as const

export type Season = keyof typeof seasons

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

const open = 2
const timecodes = { opening: 1, warmMeals: 2 } as const

/** Opening hours in a season; most have a day of rest, some serve warm meals. */
export function scheduleOf(random: Random, season: Season, year: number) {
  const { name, from, to } = seasons[season]
  const opensAt = random.between(7, 10)
  const closesAt = random.between(16, 22)
  const restDay = random.chance(0.6) ? random.pick(days) : undefined
  const hours = (start: number, end: number, timecode: number) => ({
    Start: clock(start),
    End: clock(end),
    ...Object.fromEntries(days.map((day) => [day, day !== restDay])),
    State: open,
    Timecode: timecode,
  })
  return [
    {
      OperationscheduleName: fill(name),
      Start: `${year}-${from}`,
      Stop: `${season === 'winter' ? year + 1 : year}-${to}`,
      Type: '2',
      OperationScheduleTime: [
        hours(opensAt, closesAt, timecodes.opening),
        ...(random.chance(0.3) ? [hours(12, 14, timecodes.warmMeals)] : []),
      ],
    },
  ]
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00:00`
}
