import {
  Virtualizer,
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
} from '@tanstack/virtual-core'
import type { Range, VirtualItem } from '@tanstack/virtual-core'
import { untrack } from 'svelte'
import { reuseElements } from './reuse-elements.ts'

type Options = {
  readonly element: HTMLElement | undefined
  readonly count: number
  readonly rowHeight: number
  /** Height of the sticky header above the rows. */
  readonly headHeight: number
  /** A row that stays drawn at any scroll position because it has the focus. */
  readonly kept: number | undefined
}

/** A drawn row, `start` pixels below the top of the first row. */
export type DrawnRow = {
  readonly index: number
  readonly start: number
  /**
   * Number of the DOM element. When a row leaves the view, its element is reused for another row.
   */
  readonly element: number
}

export type VirtualRows = {
  readonly rows: readonly DrawnRow[]
  readonly height: number
  /** First and last visible row. */
  readonly range: readonly [number, number]
  readonly reveal: (index: number) => void
}

const overscan = 4

/** Tracks which rows of a list of any length are visible, so that only those are drawn. */
export function virtualRows(options: () => Options): VirtualRows {
  let rows = $state.raw<readonly DrawnRow[]>([])
  let height = $state(0)
  let range = $state.raw<readonly [number, number]>([0, 0])
  const update = () => {
    rows = toRows(
      virtualizer.getVirtualItems(),
      untrack(() => rows),
    )
    height = virtualizer.getTotalSize()
    const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {}
    if (range[0] !== startIndex || range[1] !== endIndex) range = [startIndex, endIndex]
  }
  const virtualizer = new Virtualizer<HTMLElement, HTMLElement>(
    untrack(() => toSettings(options(), update)),
  )
  $effect(() => virtualizer._didMount())
  $effect(() => {
    virtualizer.setOptions(toSettings(options(), update))
    virtualizer._willUpdate()
    untrack(update)
  })
  return {
    get rows() {
      return rows
    },
    get height() {
      return height
    },
    get range() {
      return range
    },
    reveal: (index) => {
      virtualizer.scrollToIndex(index)
    },
  }
}

function toRows(items: readonly VirtualItem[], before: readonly DrawnRow[]): readonly DrawnRow[] {
  const elements = reuseElements(
    new Map(before.map(({ index, element }) => [index, element])),
    items.map(({ index }) => index),
  )
  return items.map(({ index, start }, position) => ({
    ...{ index, start },
    element: elements[position] ?? position,
  }))
}

function toSettings(options: Options, onChange: () => void) {
  const { element, count, rowHeight, headHeight, kept } = options
  return {
    count,
    overscan,
    getScrollElement: () => element ?? null,
    estimateSize: () => rowHeight,
    scrollPaddingStart: headHeight,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    rangeExtractor: (seen: Range) => withKept(defaultRangeExtractor(seen), kept, count),
    onChange,
  }
}

function withKept(indexes: number[], kept: number | undefined, count: number): number[] {
  if (kept === undefined || kept >= count || indexes.includes(kept)) return indexes
  return [...indexes, kept].toSorted((a, b) => a - b)
}
