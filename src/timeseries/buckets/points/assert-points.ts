import { AppError } from '../../../errors/index.ts'
import type { ChosenSeries } from '../../read/values/choose-series.ts'
import type { Run, ValueReading } from '../../read/values/value-statement.ts'
import { filledPart } from '../earliest-value.ts'
import type { Moments } from '../earliest-value.ts'

/** What points are chosen of: values that are read one by one, or those that the database puts in buckets. */
export type LineKind = 'values' | 'buckets'

/** Points of all series together: in the order of time they are held in memory. */
const mostPoints = 100_000

/** Values of all series together: half a minute's work, and most of it comes before the first row. */
const mostValues: Readonly<Record<LineKind, number>> = {
  values: 30_000_000,
  buckets: 100_000_000,
}

/** Values of one series: what is held in memory while its points are chosen. */
export const mostOfSeries = 1_000_000

/** A series has statements of its own, which take as long as so many values. */
const leastOfSeries = 3000

/**
 * Refuses points that take too much memory, or too long by what the series should have in the range.
 * @throws AppError HUB-QRY-001
 */
export async function assertPoints(
  { run, reading }: { readonly run: Run; readonly reading: ValueReading },
  points: number,
  kind: LineKind,
): Promise<void> {
  const count = reading.series.ids.length
  if (count * points > mostPoints) {
    throw refusal(
      `${inWords(points)} points of ${inWords(count)} series are more than ${inWords(mostPoints)}.`,
      'Choose fewer stations in where, or fewer points.',
    )
  }
  assertValues(count * leastOfSeries, kind)
  const { from = '', to = '' } = reading.values.range ?? {}
  const range = { from: Date.parse(from), to: Date.parse(to) }
  if (expectedOf(reading.series, range, kind) <= mostValues[kind]) return
  // A range may be far longer than there has been anything in it.
  assertValues(expectedOf(reading.series, await filledPart(run, reading), kind), kind)
}

/**
 * @param values of all series, as expected or as found
 * @throws AppError HUB-QRY-001
 */
export function assertValues(values: number, kind: LineKind): void {
  const most = mostValues[kind]
  if (values <= most) return
  const longer = kind === 'values' ? ', or ask for points of buckets (bucket=1h)' : ''
  throw refusal(
    `The series count as about ${inWords(Math.ceil(values / 1e6))} million values in this range, each as at least ${inWords(leastOfSeries)}; points are chosen of ${inWords(most)} at most.`,
    `Choose fewer stations in where, or a shorter range${longer}.`,
  )
}

/** Where no period is declared, nothing is expected. */
function expectedOf({ periods }: ChosenSeries, { from, to }: Moments, kind: LineKind): number {
  const seconds = (to - from) / 1000
  const most = kind === 'values' ? mostOfSeries : Number.POSITIVE_INFINITY
  return periods.reduce((sum, period) => {
    const expected = Number(period) > 0 ? seconds / Number(period) : 0
    return sum + Math.max(leastOfSeries, Math.min(expected, most))
  }, 0)
}

function refusal(detail: string, hint: string): AppError {
  return new AppError('HUB-QRY-001', detail, {
    hint,
    issues: [{ parameter: 'points', detail: 'cannot be chosen of so much' }],
  })
}

function inWords(count: number): string {
  return count.toLocaleString('en')
}
