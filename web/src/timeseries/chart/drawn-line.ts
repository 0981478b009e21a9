import type { Line } from './columns.ts'

/** A line with its looks and the unit whose axis it belongs to. */
export type DrawnLine = Line & {
  readonly key: string
  readonly label: string
  readonly unit: string
  /** A custom property. */
  readonly colour: string
  readonly isDashed: boolean
}

/** A moment that is marked in the chart. */
export type Mark = {
  readonly at: number
  readonly label: string
  /** Everything before it is shaded. */
  readonly shades: boolean
}
