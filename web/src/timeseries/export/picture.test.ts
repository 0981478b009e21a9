import { expect, it } from 'vitest'
import type { DrawnLine } from '../chart/columns.ts'
import { toSvg } from './picture.ts'
import type { Picture } from './picture.ts'

const hour = 3_600_000
const from = Date.UTC(2026, 10, 1)

const line: DrawnLine = {
  ...{ key: 'a', label: 'Brücke <1> · level', unit: 'm', colour: '--series-1', isDashed: false },
  times: [0, 1, 2, 6, 7].map((count) => from + count * hour),
  values: [1, 2, 3, 2, 1],
  gapAfter: 2 * hour,
}

const picture: Picture = {
  lines: [line],
  units: ['m'],
  window: { from, to: from + 8 * hour },
  ...{ zone: 'Europe/Rome', locale: 'en-GB', source: 'Hub, https://hub.test/?a=1&b=2' },
  formatNumber: String,
  resolveColour: (property) => `of(${property})`,
  font: '"Inter", sans-serif',
}

const pathsOf = (svg: string) =>
  [...svg.matchAll(/<path d="([^"]*)"/g)].map(([, path = '']) => path)

it('draws a line in as many pieces as gaps require, scaled to the whole sheet', () => {
  const paths = pathsOf(toSvg(picture))
  expect(paths.map((path) => path.split('L').length)).toEqual([3, 2])
  expect(paths[0]).toBe('M90 490L217.5 270L345 50')
})

it('draws a single value as a dot, a band around its line, and nothing for missing values', () => {
  const times = [0, 1, 9].map((count) => from + count * hour)
  const own = { ...line, times, values: [1, 3, Number.NaN], low: [0, 2, 0], high: [2, 4, 0] }
  expect(pathsOf(toSvg({ ...picture, lines: [own] }))).toHaveLength(2)
  const alone = { ...line, times: times.slice(0, 1), values: [5] }
  expect(pathsOf(toSvg({ ...picture, lines: [alone] }))).toEqual(['M90 270h0'])
})

it('writes legend, axes in the time zone, and source as escaped texts', () => {
  const texts = [...toSvg(picture).matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text)
  expect(texts).toEqual(
    expect.arrayContaining([
      ...['Brücke &lt;1&gt; · level (m)', 'Hub, https://hub.test/?a=1&amp;b=2', 'm'],
      ...['1', '1.5', '3', '1 Nov', '05:00'],
    ]),
  )
  expect(toSvg(picture)).toContain('font-family="&quot;Inter&quot;, sans-serif"')
})

it('draws axes even without values', () => {
  expect(pathsOf(toSvg({ ...picture, lines: [{ ...line, times: [], values: [] }] }))).toEqual([])
  expect(toSvg({ ...picture, lines: [], units: [] })).toMatch(/^<svg[\s\S]*<\/svg>\n$/)
})
