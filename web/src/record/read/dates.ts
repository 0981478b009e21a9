import { isMembers, listOf, textOf } from './json.ts'
import type { Members } from './json.ts'

/** When something is: yyyy-MM-dd, or with a time. */
export type Period = { readonly from: string; readonly to?: string }

/** Members that say when a record is, from and to. */
const pairs = [
  ['StartDate', 'EndDate'],
  ['StartTime', 'EndTime'],
  ['DateBegin', 'DateEnd'],
  ['ArticleDate', 'ArticleDateTo'],
  ['Date', 'DateTo'],
] as const

/** When a record is: each date of an event, else the whole span. */
export function readPeriods(record: Members): readonly Period[] {
  const days = listOf(record['EventDate'])
    .filter(isMembers)
    .flatMap((day) => toPeriod(join(day['From'], day['Begin']), join(day['To'], day['End'])))
  if (days.length > 0) return days.toSorted((a, b) => a.from.localeCompare(b.from))
  const found = pairs.find(([from]) => textOf(record[from]) !== undefined)
  return found === undefined ? [] : toPeriod(whole(record[found[0]]), whole(record[found[1]]))
}

function toPeriod(from: string | undefined, to: string | undefined): readonly Period[] {
  if (from === undefined) return []
  return [to === undefined || to === from ? { from } : { from, to }]
}

/** A day and a time that stand apart. */
function join(day: unknown, time: unknown): string | undefined {
  const date = whole(day)?.slice(0, 10)
  const clock = /^\d\d:\d\d/.exec(textOf(time) ?? '')?.[0]
  return date === undefined || clock === undefined ? date : `${date}T${clock}`
}

/** Midnight means that only the day is known. */
function whole(value: unknown): string | undefined {
  const text = textOf(value)
  if (text === undefined || !/^\d{4}-\d\d-\d\d/.test(text)) return undefined
  return text.replace(/T00:00(:00)?$/, '')
}
