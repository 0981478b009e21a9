import { listOf, textOf } from '../record-members.ts'
import type { Members } from '../record-members.ts'
import { present, toNode } from './node.ts'
import type { LinkedNode } from './node.ts'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** State 2 is open, time code 1 the general opening hours (reference content.md 7.0). */
const open = 2
const general = 1

/** When a place is open, from `OperationSchedule`: only the general hours, not those of the kitchen. */
export function openingHoursOf(record: Members): readonly LinkedNode[] {
  return listOf(record['OperationSchedule']).flatMap((schedule) =>
    listOf(schedule['OperationScheduleTime'])
      .filter((time) => time['State'] === open && time['Timecode'] === general)
      .flatMap((time) => present(toSpecification(schedule, time))),
  )
}

function toSpecification(schedule: Members, time: Members): LinkedNode | undefined {
  const days = weekdays.filter((day) => time[day] === true)
  return toNode('OpeningHoursSpecification', {
    dayOfWeek: days.map((day) => `https://schema.org/${day}`),
    opens: textOf(time['Start']),
    closes: textOf(time['End']),
    validFrom: dateOf(schedule['Start']),
    validThrough: dateOf(schedule['Stop']),
  })
}

/** The day of a date-time text. */
export function dateOf(written: unknown): string | undefined {
  return /^\d{4}-\d\d-\d\d/.exec(textOf(written) ?? '')?.[0]
}
