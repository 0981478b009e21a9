import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatNumber } from '../../language/index.ts'
import type { Window } from '../range/range.ts'
import { resolveColour, axesOf, bandsOf, scalesOf, seriesOf } from './options.ts'
import type { DrawnLine, Mark } from './columns.ts'
import { addGestures } from './gestures.ts'
import type { Gestures } from './gestures.ts'
import type { Brush, ChartInput } from './options.ts'

/** Input of a plot. Functions are called at each drawing. */
type PlotInput = Pick<ChartInput, 'lines' | 'units' | 'alone' | 'zone' | 'locale' | 'unitless'> &
  Gestures & {
    readonly size: { readonly width: number; readonly height: number }
    readonly marks: () => readonly Mark[]
    /** Called with the time at the pointer. */
    readonly oncursor: (at: number | undefined) => void
    /** Called with the position of the plot in its frame. */
    readonly onplace: (place: { readonly left: number; readonly width: number }) => void
  }

type Plot = { readonly chart: uPlot; readonly stop: () => void }

/** Creates a chart in an element. It reads window, marks and time zone at each drawing. */
export function makePlot(target: HTMLElement, data: uPlot.AlignedData, input: PlotInput): Plot {
  const brush = brushOf(target, input.lines)
  const parts: ChartInput = {
    ...input,
    formatNumber: (value) => formatNumber(value, { maximumFractionDigits: 6 }),
    brush,
  }
  const chart = new uPlot(
    {
      ...input.size,
      series: seriesOf(parts),
      bands: bandsOf(parts),
      axes: axesOf(parts),
      scales: scalesOf(parts),
      padding: [8, input.units.length > 1 ? null : 16, null, input.units.length > 0 ? null : 16],
      legend: { show: false },
      cursor: cursorOf(input),
      hooks: hooksOf(input, brush),
    },
    data,
    target,
  )
  const stopGestures = addGestures(chart.over, input)
  return {
    chart,
    stop: () => {
      stopGestures()
      chart.destroy()
    },
  }
}

function brushOf(target: HTMLElement, lines: readonly DrawnLine[]): Brush {
  return {
    ink: resolveColour('--ink-soft', target),
    line: resolveColour('--line', target),
    font: `12px ${getComputedStyle(target).fontFamily}`,
    colours: new Map(lines.map(({ colour }) => [colour, resolveColour(colour, target)])),
  }
}

function cursorOf({ window, onrest }: PlotInput): uPlot.Cursor {
  return {
    y: false,
    drag: { x: true, y: false, setScale: false, dist: 6 },
    // Each line has a dot at its value nearest to the pointer; the edges of bands have none.
    hover: { skip: [null, undefined] },
    points: { size: (_chart, index) => (index % 3 === 1 ? 7 : 0) },
    bind: {
      // Dragging with Shift moves the window and is handled by the gestures.
      mousedown: (_chart, _target, handler) => (event) => {
        if (!event.shiftKey) handler(event)
        return null
      },
      dblclick: () => () => {
        const { from, to } = window()
        onrest({ from: from - (to - from) / 2, to: to + (to - from) / 2 })
        return null
      },
    },
  }
}

function hooksOf(
  { marks, onrest, oncursor, onplace }: PlotInput,
  brush: Brush,
): uPlot.Hooks.Arrays {
  const zoomToSelection = (chart: uPlot) => {
    const { left, width } = chart.select
    if (width < 6) return
    const next: Window = {
      from: Math.round(chart.posToVal(left, 'x')),
      to: Math.round(chart.posToVal(left + width, 'x')),
    }
    chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
    onrest(next)
  }
  return {
    setSelect: [zoomToSelection],
    setCursor: [
      (chart) => {
        const left = chart.cursor.left ?? -1
        oncursor(left < 0 ? undefined : chart.posToVal(left, 'x'))
      },
    ],
    draw: [
      (chart) => {
        drawMarks(chart, marks(), brush)
        onplace({ left: chart.over.offsetLeft, width: chart.over.offsetWidth })
      },
    ],
  }
}

/** Draws the marked times as dashed lines, and shading before a limit. */
function drawMarks(chart: uPlot, marks: readonly Mark[], brush: Brush): void {
  const { ctx, bbox } = chart
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const mark of marks) {
    const x = Math.round(chart.valToPos(mark.at, 'x', true)) + 0.5
    if (mark.shades) shade(ctx, bbox, { width: x - bbox.left, colour: brush.line })
    ctx.strokeStyle = brush.ink
    ctx.setLineDash([2, 3])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    ctx.font = brush.font.replace(
      /\d+px/,
      (size) => `${String(Number.parseInt(size) * devicePixelRatio)}px`,
    )
    ctx.fillStyle = brush.ink
    const isRight = x > bbox.left + bbox.width * 0.8
    ctx.textAlign = isRight ? 'right' : 'left'
    ctx.textBaseline = 'top'
    ctx.fillText(mark.label, x + (isRight ? -4 : 4) * devicePixelRatio, bbox.top + 2)
  }
  ctx.restore()
}

/** Fills an area with diagonal hatching, as maps mark what is out of bounds. */
function shade(
  ctx: CanvasRenderingContext2D,
  { left, top, height }: uPlot.BBox,
  { width, colour }: { readonly width: number; readonly colour: string },
): void {
  if (width <= 0) return
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, width, height)
  ctx.clip()
  ctx.strokeStyle = colour
  ctx.beginPath()
  for (let x = left - height; x < left + width; x += 8 * devicePixelRatio) {
    ctx.moveTo(x, top + height)
    ctx.lineTo(x + height, top)
  }
  ctx.stroke()
  ctx.restore()
}
