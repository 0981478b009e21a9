import type uPlot from 'uplot'
import type { Brush } from './options.ts'
import type { Mark } from './drawn-line.ts'

/** Draws the moments that are marked: a broken line each, and a shade where a limit ends. */
export function drawMarks(chart: uPlot, marks: readonly Mark[], brush: Brush): void {
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

/** Thin strokes, as maps mark what is out of bounds. */
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
