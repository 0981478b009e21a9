import { inSlices } from '../../../http/index.ts'
import type { TextRow } from '../../../storage/index.ts'
import type { Representation } from '../../read/representation.ts'
import { partOf } from '../../read/values/choose-series.ts'
import type { ChosenSeries } from '../../read/values/choose-series.ts'
import { pageSizes } from '../../read/values/part.ts'
import type { Part, Wanted } from '../../read/values/part.ts'
import { listsOf } from '../../read/values/value-rows.ts'
import type { Run, ValueReading } from '../../read/values/value-statement.ts'
import { assertPoints, assertValues } from './assert-points.ts'
import type { LineKind } from './assert-points.ts'
import { largestTriangles } from './largest-triangles.ts'
import { mergeByTime } from './merge-by-time.ts'
import type { Source } from './sources.ts'

type Drawing = {
  readonly source: Source
  readonly kind: LineKind
  /** Of each series at most. */
  readonly points: number
  readonly structure: Representation['structure']
}

type Reducing = {
  readonly run: Run
  readonly reading: ValueReading
  readonly wanted: Wanted
}

/**
 * Points of lines, in the order of time or list after list of the tree.
 * @throws AppError HUB-QRY-001 for too many series, or too many values
 */
export async function* walkPoints(
  drawing: Drawing,
  { run, reading, wanted }: Reducing,
): AsyncGenerator<Part, void, undefined> {
  const { series } = reading
  await assertPoints({ run, reading }, drawing.points, drawing.kind)
  const lists = drawing.structure === 'flat' ? [0] : listsOf(series)
  let remaining = wanted.rows
  for (const [place, start] of lists.entries()) {
    const end = lists[place + 1] ?? series.ids.length
    const lines = await linesOf(drawing, partOf(series, start, end))
    const rows = await inSlices(mergeByTime(lines))
    remaining -= rows.length
    const isEnd = end === series.ids.length || remaining <= 0
    for (const page of pagesOf(rows)) {
      yield { rows: page, isLast: isEnd && page.at(-1) === rows.at(-1) }
    }
    if (isEnd) return
  }
}

/** Periods only say how many values are expected, so those that are read are counted, too. */
async function linesOf({ source, kind, points }: Drawing, series: ChosenSeries) {
  const lines: (readonly TextRow[])[] = []
  let values = 0
  for (let one = 0; one < series.ids.length; one++) {
    const { line, rowsAt } = await source(partOf(series, one, one + 1))
    values += line.times.length
    assertValues(values, kind)
    lines.push(await rowsAt(await inSlices(largestTriangles(line, points))))
  }
  return lines
}

function pagesOf(rows: readonly TextRow[]): readonly (readonly TextRow[])[] {
  const size = pageSizes.further
  const count = Math.max(1, Math.ceil(rows.length / size))
  return Array.from({ length: count }, (_nothing, page) =>
    rows.slice(page * size, (page + 1) * size),
  )
}
