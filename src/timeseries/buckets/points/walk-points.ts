import { AppError } from '../../../errors/index.ts'
import { inSlices } from '../../../http/index.ts'
import type { TextRow } from '../../../storage/index.ts'
import type { Representation } from '../../read/representation.ts'
import { partOf } from '../../read/values/choose-series.ts'
import type { ChosenSeries } from '../../read/values/choose-series.ts'
import { pageSizes } from '../../read/values/part.ts'
import type { Part, Wanted } from '../../read/values/part.ts'
import { listsOf } from '../../read/values/value-rows.ts'
import type { ValueReading } from '../../read/values/value-statement.ts'
import { largestTriangles } from './largest-triangles.ts'
import { mergeByTime } from './merge-by-time.ts'
import type { Source } from './sources.ts'

type Drawing = {
  readonly source: Source
  /** Of each series at most. */
  readonly points: number
  readonly structure: Representation['structure']
}

/** Points of all series together: in the order of time they are held in memory. */
const mostPoints = 100_000

/**
 * Points of lines, in the order of time or list after list of the tree.
 * @throws AppError HUB-QRY-001 for too many series, or too long ones
 */
export async function* walkPoints(
  { source, points, structure }: Drawing,
  { reading: { series }, wanted }: { readonly reading: ValueReading; readonly wanted: Wanted },
): AsyncGenerator<Part, void, undefined> {
  assertPoints(series, points)
  const lists = structure === 'flat' ? [0] : listsOf(series)
  let remaining = wanted.rows
  for (const [place, start] of lists.entries()) {
    const end = lists[place + 1] ?? series.ids.length
    const lines: (readonly TextRow[])[] = []
    for (let one = start; one < end; one++) {
      lines.push(await pointsOf(source, partOf(series, one, one + 1), points))
    }
    const rows = await inSlices(mergeByTime(lines))
    remaining -= rows.length
    const isEnd = end === series.ids.length || remaining <= 0
    for (const page of pagesOf(rows)) {
      yield { rows: page, isLast: isEnd && page.at(-1) === rows.at(-1) }
    }
    if (isEnd) return
  }
}

async function pointsOf(source: Source, series: ChosenSeries, points: number) {
  const { line, rowsAt } = await source(series)
  return rowsAt(await inSlices(largestTriangles(line, points)))
}

function pagesOf(rows: readonly TextRow[]): readonly (readonly TextRow[])[] {
  const size = pageSizes.further
  const count = Math.max(1, Math.ceil(rows.length / size))
  return Array.from({ length: count }, (_nothing, page) =>
    rows.slice(page * size, (page + 1) * size),
  )
}

function assertPoints({ ids }: ChosenSeries, points: number): void {
  if (ids.length * points <= mostPoints) return
  const detail = `${points.toLocaleString('en')} points of ${ids.length.toLocaleString('en')} series are more than ${mostPoints.toLocaleString('en')}.`
  throw new AppError('HUB-QRY-001', detail, {
    hint: 'Choose fewer stations in where, or fewer points.',
    issues: [{ parameter: 'points', detail: 'is too large for so many series' }],
  })
}
