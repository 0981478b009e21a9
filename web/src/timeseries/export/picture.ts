import type { DrawnLine } from '../chart/columns.ts'
import { labelTicks, ticksOf } from '../range/ticks.ts'
import type { Window } from '../range/range.ts'

/** Input for drawing a chart to a file, for print and for pages that cannot embed a frame. */
export type Picture = {
  readonly lines: readonly DrawnLine[]
  /** Units of the axes, at most two: left and right. */
  readonly units: readonly string[]
  readonly window: Window
  readonly zone: string
  readonly locale: string
  /** Text below the chart: provider and origin of the data. */
  readonly source: string
  readonly formatNumber: (value: number) => string
  /** Returns the colour of a custom property. `font` is that of the page. */
  readonly resolveColour: (property: string) => string
  readonly font: string
}

/** Dimensions in the units of the picture, which is about twice as wide as high. */
const width = 1200
const plot = { left: 90, right: 1110, height: 440 }
const lineHeight = 26

type Scale = { readonly least: number; readonly most: number; readonly ticks: readonly number[] }

/** Draws a chart as an SVG document with legend, axes and source. Texts remain text. */
export function toSvg(picture: Picture): string {
  const { lines, units, window, source, resolveColour, font } = picture
  const top = 24 + lines.length * lineHeight
  const height = top + plot.height + 96
  const scales = new Map(units.map((unit) => [unit, scaleOf(picture, unit)]))
  const x = (time: number) =>
    place((time - window.from) / (window.to - window.from), plot.left, plot.right)
  const yOf = (unit: string) => {
    const { least, most } = scales.get(unit) ?? { least: 0, most: 1 }
    return (value: number) => place((value - least) / (most - least), top + plot.height, top)
  }
  const parts = [
    `<rect width="${width}" height="${height}" fill="${resolveColour('--paper')}"/>`,
    ...lines.map((line, index) => legend(line, 24 + index * lineHeight, resolveColour)),
    ...units.flatMap((unit, index) =>
      valueAxis(
        { unit, scale: scales.get(unit), y: yOf(unit), isFirst: index === 0 },
        picture,
        top,
      ),
    ),
    ...timeAxis(picture, x, top),
    `<g clip-path="url(#plot)">`,
    ...lines.flatMap((line) => curve(line, { x, y: yOf(line.unit), resolveColour })),
    '</g>',
    text({ x: plot.left, y: height - 18 }, source),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${escape(font)}" font-size="15" fill="${resolveColour('--ink')}">
<defs><clipPath id="plot"><rect x="${plot.left}" y="${top}" width="${plot.right - plot.left}" height="${plot.height}"/></clipPath></defs>
${parts.join('\n')}
</svg>
`
}

/**
 * Renders an SVG as PNG, with two pixels per unit.
 * @throws Error if the browser cannot draw it
 */
export async function toPng(svg: string): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth * 2
  canvas.height = image.naturalHeight * 2
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  const { promise, resolve, reject } = Promise.withResolvers<Blob>()
  canvas.toBlob((blob) => {
    if (blob === null) reject(new Error('The browser wrote no PNG.'))
    else resolve(blob)
  })
  return promise
}

const place = (share: number, from: number, to: number) => from + share * (to - from)

const round = (number: number) => Math.round(number * 100) / 100

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

const escape = (raw: string) => raw.replace(/[&<>"]/g, (character) => escapes[character] ?? '')

type Spot = { readonly x: number; readonly y: number; readonly anchor?: 'start' | 'middle' | 'end' }

const text = ({ x, y, anchor = 'start' }: Spot, raw: string) =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escape(raw)}</text>`

function legend(line: DrawnLine, y: number, resolveColour: Picture['resolveColour']): string {
  const name = line.unit === '' ? line.label : `${line.label} (${line.unit})`
  return `<line x1="${plot.left}" x2="${plot.left + 32}" y1="${y}" y2="${y}" ${stroke(line, resolveColour)}/>${text({ x: plot.left + 44, y: y + 5 }, name)}`
}

function stroke({ colour, isDashed }: DrawnLine, resolveColour: Picture['resolveColour']): string {
  return `fill="none" stroke="${resolveColour(colour)}" stroke-width="2.5"${isDashed ? ' stroke-dasharray="9 6"' : ''}`
}

/**
 * Returns the scale from the minimum to the maximum of the visible values, extended to the
 * surrounding ticks.
 */
function scaleOf({ lines, window }: Picture, unit: string): Scale {
  let [least, most] = [Infinity, -Infinity]
  for (const line of lines.filter((one) => one.unit === unit)) {
    for (const [index, time] of line.times.entries()) {
      if (time < window.from || time > window.to) continue
      for (const value of [line.values[index], line.low?.[index], line.high?.[index]]) {
        if (value === undefined || Number.isNaN(value)) continue
        least = Math.min(least, value)
        most = Math.max(most, value)
      }
    }
  }
  if (least > most) [least, most] = [0, 1]
  if (least === most) [least, most] = [least - 1, most + 1]
  const step = niceStep((most - least) / 5)
  const first = Math.floor(least / step)
  const count = Math.ceil(most / step) - first
  const ticks = Array.from({ length: count + 1 }, (_, index) => (first + index) * step)
  return { least: first * step, most: (first + count) * step, ticks }
}

/** Returns the next larger of 1, 2, 5, 10 … */
function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted))
  return power * ([1, 2, 5].find((factor) => factor * power >= wanted) ?? 10)
}

type ValueAxis = {
  readonly unit: string
  readonly scale: Scale | undefined
  readonly y: (value: number) => number
  readonly isFirst: boolean
}

function valueAxis({ unit, scale, y, isFirst }: ValueAxis, picture: Picture, top: number) {
  const { formatNumber, resolveColour } = picture
  const anchor = isFirst ? 'end' : 'start'
  const x = isFirst ? plot.left - 10 : plot.right + 10
  const across = (value: number) =>
    rule({ x: plot.left, y: y(value) }, { x: plot.right, y: y(value) }, resolveColour)
  const ticks = (scale?.ticks ?? []).flatMap((value) => [
    text({ x, y: y(value) + 5, anchor }, formatNumber(value)),
    ...(isFirst ? [across(value)] : []),
  ])
  return [text({ x, y: top - 12, anchor }, unit), ...ticks]
}

function rule(from: Spot, to: Spot, resolveColour: Picture['resolveColour']): string {
  return `<line x1="${round(from.x)}" y1="${round(from.y)}" x2="${round(to.x)}" y2="${round(to.y)}" stroke="${resolveColour('--line')}"/>`
}

function timeAxis(
  { window, zone, locale, resolveColour }: Picture,
  x: (time: number) => number,
  top: number,
): readonly string[] {
  const ticks = ticksOf(window, zone, 9)
  const labels = labelTicks(ticks, zone, locale)
  const bottom = top + plot.height
  return ticks.flatMap((tick, index) => [
    rule({ x: x(tick), y: top }, { x: x(tick), y: bottom }, resolveColour),
    ...(labels[index] ?? '')
      .split('\n')
      .map((label, row) =>
        text({ x: x(tick), y: bottom + 24 + row * 19, anchor: 'middle' }, label),
      ),
  ])
}

type Drawing = {
  readonly x: (time: number) => number
  readonly y: (value: number) => number
  readonly resolveColour: Picture['resolveColour']
}

/** Draws the band and the line, in a separate piece after each gap. */
function curve(line: DrawnLine, { x, y, resolveColour }: Drawing): readonly string[] {
  const { low, high } = line
  const drawn: string[] = []
  for (const piece of piecesOf(line)) {
    const along = (values: readonly number[]) =>
      piece.map((at) => `${round(x(line.times[at] ?? 0))} ${round(y(values[at] ?? 0))}`)
    if (low !== undefined && high !== undefined) {
      const outline = [...along(high), ...along(low).reverse()].join('L')
      drawn.push(
        `<path d="M${outline}Z" fill="${resolveColour(line.colour)}" fill-opacity="0.18"/>`,
      )
    }
    const points = along(line.values)
    // A value without neighbours becomes a dot: a line of zero length with round caps.
    const path = points.length === 1 ? `${points.join('')}h0` : points.join('L')
    drawn.push(
      `<path d="M${path}" stroke-linecap="round" stroke-linejoin="round" ${stroke(line, resolveColour)}/>`,
    )
  }
  return drawn
}

/** Returns the indexes of a line's values, split at its gaps. */
function piecesOf({ times, values, gapAfter }: DrawnLine): readonly (readonly number[])[] {
  const pieces: number[][] = []
  let last: number | undefined
  for (const [index, time] of times.entries()) {
    if (Number.isNaN(values[index] ?? Number.NaN)) continue
    const isBroken = last === undefined || time - (times[last] ?? time) > gapAfter
    if (isBroken) pieces.push([])
    pieces.at(-1)?.push(index)
    last = index
  }
  return pieces
}
