import type uPlot from 'uplot'
import type { Window } from '../range/range.ts'
import { ticksOf, labelTicks } from '../range/ticks.ts'
import type { DrawnLine } from './columns.ts'

/** Colours and font of the chart. */
export type Brush = {
  readonly ink: string
  readonly line: string
  readonly font: string
  readonly colours: ReadonlyMap<string, string>
}

/** Side of the second axis. The value of uPlot's enum, which type stripping does not provide. */
const right = 1

export type ChartInput = {
  readonly lines: readonly DrawnLine[]
  readonly units: readonly string[]
  readonly alone: () => readonly (readonly number[])[]
  readonly window: () => Window
  readonly zone: () => string
  readonly locale: string
  readonly formatNumber: (value: number) => string
  readonly unitless: string
  readonly brush: Brush
}

/** Returns three uPlot series for each line: its values and the two edges of its band. */
export function seriesOf({ lines, alone, brush }: ChartInput): uPlot.Series[] {
  const ofLine = (line: DrawnLine, index: number): uPlot.Series[] => {
    const stroke = brush.colours.get(line.colour) ?? brush.ink
    const scale = line.unit
    const edge = { scale, width: 0, points: { show: false }, stroke: 'transparent' }
    return [
      {
        label: line.label,
        scale,
        stroke,
        width: 1.75,
        dash: line.isDashed ? [6, 4] : [],
        points: { show: true, size: 5, fill: stroke, filter: filterAlone(() => alone()[index]) },
      },
      edge,
      edge,
    ]
  }
  return [{}, ...lines.flatMap(ofLine)]
}

/** Shows dots only at values without neighbours; lines show all others. */
function filterAlone(places: () => readonly number[] | undefined): uPlot.Series.Points.Filter {
  return () => [...(places() ?? [])]
}

/** Returns the fill between minimum and maximum, behind the line. */
export function bandsOf({ lines, brush }: ChartInput): uPlot.Band[] {
  return lines.map((line, index) => ({
    series: [3 * index + 3, 3 * index + 2],
    fill: pale(brush.colours.get(line.colour) ?? brush.ink, 0.18),
  }))
}

export function axesOf(input: ChartInput): uPlot.Axis[] {
  const { brush, zone, locale, units, formatNumber, unitless } = input
  const shared = {
    stroke: brush.ink,
    font: brush.font,
    labelFont: brush.font,
    ticks: { stroke: brush.line, width: 1, size: 4 },
  }
  const time: uPlot.Axis = {
    ...shared,
    size: 44,
    grid: { stroke: brush.line, width: 1 },
    splits: (chart, _axis, from, to) => [
      ...ticksOf({ from, to }, zone(), Math.max(2, Math.floor(chart.width / 110))),
    ],
    values: (_chart, splits) => [...labelTicks(splits, zone(), locale)],
  }
  return [
    time,
    ...units.map((unit, index) => {
      const axis: uPlot.Axis = {
        ...shared,
        scale: unit,
        size: (_chart, values) => 18 + 7 * widest(values),
        label: unit === '' ? unitless : unit,
        labelSize: 18,
        labelGap: 0,
        grid: { show: index === 0, stroke: brush.line, width: 1 },
        values: (_chart, splits) => splits.map(formatNumber),
      }
      return index === 0 ? axis : Object.assign(axis, { side: right })
    }),
  ]
}

/** On the first call `values` is null, despite uPlot's types. */
function widest(values: readonly string[] | null): number {
  return Math.max(3, ...(values ?? []).map((value) => value.length))
}

export function scalesOf({ units, window }: ChartInput): uPlot.Scales {
  return {
    x: { time: false, range: () => [window().from, window().to] },
    ...Object.fromEntries(units.map((unit) => [unit, { auto: true }])),
  }
}

/**
 * Number of colours that are distinguishable with red-green colour blindness. Further lines are
 * dashed.
 */
const colours = 6

export type Look = { readonly colour: string; readonly isDashed: boolean }

/**
 * Returns the look of the series at a position of the list. The colour is the name of a CSS custom
 * property.
 */
export function lookOf(index: number): Look {
  return {
    colour: `--series-${String((index % colours) + 1)}`,
    isDashed: Math.floor(index / colours) % 2 === 1,
  }
}

/**
 * Returns the computed colour of a custom property, because a canvas does not support custom
 * properties.
 */
export function resolveColour(property: string, within: HTMLElement): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${property})`
  probe.hidden = true
  within.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Returns a colour with the given opacity. */
function pale(colour: string, share: number): string {
  return `color-mix(in srgb, ${colour} ${String(Math.round(share * 100))}%, transparent)`
}
