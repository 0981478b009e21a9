import { inSlices, weakEtag } from '../http/index.ts'
import type { Dataset, Drawable, Miniature, Values } from './dataset.ts'
import { toDcat } from './dcat/to-dcat.ts'
import { describeContent } from './describe/content.ts'
import type { Describing } from './describe/deps.ts'
import { describeTimeseries } from './describe/timeseries.ts'
import { describeTraffic } from './describe/traffic.ts'
import { drawChanges } from './miniature/draw-changes.ts'
import { drawMap } from './miniature/draw-map.ts'
import { cellsOf, extentOf } from './miniature/extent.ts'
import type { Extent } from './miniature/extent.ts'

/** The catalogue as callers with some rights see it, ready to be sent. */
export type Built = {
  readonly datasets: ReadonlyMap<string, Dataset>
  /** The values in use, by the identifiers of the datasets. */
  readonly values: ReadonlyMap<string, Values>
  /** What titles of tags were last read from: others once a tag has changed. */
  readonly tags: readonly unknown[]
  readonly text: string
  readonly etag: string
  /** The same for other portals; made when first asked for. */
  readonly dcat: () => Sendable
}

/** A text with its entity tag. */
type Sendable = { readonly text: string; readonly etag: string }

const toSendable = (text: string): Sendable => ({ text, etag: weakEtag([text]) })

/** Describes and draws every dataset, with pauses in which other requests are answered. */
export function buildCatalogue(describing: Describing, now: Date): Promise<Built> {
  return inSlices(steps(describing, now))
}

function* steps(describing: Describing, now: Date): Generator<undefined, Built> {
  const drawables = [
    ...describeContent(describing),
    ...describeTimeseries(describing),
    ...describeTraffic(describing),
  ]
  yield
  // Of what everybody may know, so that closed data does not move the maps of others.
  const extent = yield* wholeExtent(drawables)
  const datasets = new Map<string, Dataset>()
  for (const { described, traces } of drawables) {
    const cells = cellsOf(traces.cells)
    const map = extent === null ? null : drawMap(cells, extent)
    const miniature: Miniature | null = map ?? drawChanges(traces.months, now)
    datasets.set(described.id, { ...described, extent: extentOf(cells) ?? null, miniature })
    yield
  }
  const text = JSON.stringify({ extent, datasets: [...datasets.values()] })
  const values = new Map(
    drawables.map(({ described, traces }) => [described.id, traces.values] as const),
  )
  const { publicUrl, title, open, closed } = describing
  const given = { publicUrl, title, datasets: [...datasets.values()] }
  const tags = [open, closed].map(({ content }) => content.get('Tag'))
  let dcat: Sendable | undefined
  return {
    ...{ datasets, values, tags, ...toSendable(text) },
    dcat: () => (dcat ??= toSendable(JSON.stringify(toDcat(given)))),
  }
}

function* wholeExtent(drawables: readonly Drawable[]): Generator<undefined, Extent | null> {
  const cells = new Map<string, number>()
  for (const { traces } of drawables) {
    for (const [cell, count] of traces.openCells) cells.set(cell, count)
    yield
  }
  return extentOf(cellsOf(cells)) ?? null
}
