/** A month of UTC, `2026-11`: what one partition holds. */
export type Month = string

/** The month that lies `offset` months after the one of a moment. */
export function monthOf(moment: Date, offset = 0): Month {
  const start = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + offset))
  return start.toISOString().slice(0, 7)
}

/** The months from one to another, both included. */
export function monthsBetween(first: Month, last: Month): readonly Month[] {
  const months: Month[] = []
  for (let month = first; month <= last; month = next(month)) months.push(month)
  return months
}

export function next(month: Month): Month {
  return monthOf(new Date(startOf(month)), 1)
}

export function previous(month: Month): Month {
  return monthOf(new Date(startOf(month)), -1)
}

/** ISO 8601. */
export function startOf(month: Month): string {
  return `${month}-01T00:00:00Z`
}

/** The table that holds a month. */
export function tableOf(month: Month): string {
  return `measurement_${month.replace('-', '_')}`
}

/**
 * The first month that is kept: the last `keepMonths` whole months and the one that runs.
 * @param keepMonths 0 keeps everything
 */
export function firstKept(keepMonths: number, now: Date): Month | undefined {
  return keepMonths === 0 ? undefined : monthOf(now, -keepMonths)
}
