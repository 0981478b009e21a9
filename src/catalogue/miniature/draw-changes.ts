import type { Tally } from '../../tally/index.ts'
import type { Miniature } from '../dataset.ts'

const columns = 64
const rows = 24
/** Months that are shown, the last of them the present one. */
const months = 24

/** How many records changed last in each of the last months: a line, for what lies nowhere on a map. */
export function drawChanges(changes: Tally, now: Date): Miniature | null {
  const counts = monthsUntil(now).map((month) => changes.get(month) ?? 0)
  const highest = Math.max(...counts)
  if (highest === 0) return null
  const points = counts.map((count, index) => {
    const x = round(1 + (index * (columns - 2)) / (months - 1))
    // The square root lets small months be seen beside a large one.
    const y = round(rows - 1 - Math.sqrt(count / highest) * (rows - 2))
    return `${x} ${y}`
  })
  const viewBox = `0 0 ${String(columns)} ${String(rows)}`
  return { kind: 'changes', viewBox, path: `M${points.join('L')}` }
}

function monthsUntil(now: Date): readonly string[] {
  return Array.from({ length: months }, (_, index) => {
    const back = months - 1 - index
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
    return month.toISOString().slice(0, 7)
  })
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10)
}
