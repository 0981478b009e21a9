import { describe, expect, it } from 'vitest'
import { cellsOf, drawChanges, drawMap, extentOf, grid } from './miniature.ts'
import type { Cell } from './miniature.ts'
import { toSvg } from './index.ts'

const cell = (longitude: number, latitude: number): Cell => [
  Math.floor(longitude * grid.perLongitude),
  Math.floor(latitude * grid.perLatitude),
]
const extent = { west: 10, south: 46, east: 12, north: 47 }

describe('A miniature', () => {
  it('shows north at the top and west on the left', () => {
    expect(drawMap([cell(10.01, 46.99)], extent)?.path).toBe('M0 0h0')
    const [, x = '', y = ''] =
      /^M(\d+) (\d+)h0$/.exec(drawMap([cell(11.99, 46.01)], extent)?.path ?? '') ?? []
    const [, , width = '', height = ''] =
      drawMap([cell(11, 46.5)], extent)?.viewBox.split(' ') ?? []
    expect(Number(x)).toBe(Math.ceil(Number(width)) - 1)
    expect(Number(y)).toBe(Math.ceil(Number(height)) - 1)
  })

  it('has a short path for any number of places, and is null if none is in the extent', () => {
    const checkered = Array.from({ length: 20_000 }, (_, index) =>
      cell(10 + ((index * 7919) % 2000) / 1000, 46 + ((index * 104_729) % 1000) / 1000),
    )
    const drawn = drawMap(checkered, extent)
    expect(drawn?.path.length).toBeGreaterThan(10)
    expect(drawn?.path.length).toBeLessThanOrEqual(2000)
    expect(drawMap([cell(0, 0)], extent)).toBeNull()
    expect(drawMap([], extent)).toBeNull()
  })

  it('shows the region of nearly all places, and ignores outliers', () => {
    const places = Array.from({ length: 500 }, (_, index) =>
      cell(10.5 + (index % 25) / 20, 46.3 + Math.floor(index / 25) / 30),
    )
    const region = extentOf([...places, cell(0, 0), cell(179, 89)])
    expect(region).toEqual(extentOf(places))
    expect(region).toMatchObject({ west: 10.5, south: 46.25 })
    expect(extentOf([])).toBeUndefined()
    expect(cellsOf(new Map([['-3 7', 1]]))).toEqual([[-3, 7]])
  })

  it('is a line of the changes in the last 24 months, or null without any', () => {
    const drawn = drawChanges(
      new Map([
        ['2026-11', 4],
        ['2026-10', 1],
        ['1999-01', 9],
      ]),
      new Date('2026-11-20T00:00:00Z'),
    )
    expect(drawn?.path.match(/L/g)).toHaveLength(23)
    expect(drawn?.path).toMatch(/L60\.3 12L63 1$/)
    expect(drawChanges(new Map([['1999-01', 9]]), new Date('2026-11-20T00:00:00Z'))).toBeNull()
  })

  it('is a well-formed file for any title', () => {
    const svg = toSvg(
      { kind: 'map', viewBox: '0 0 1 1', path: 'M0 0h0' },
      '</title><script>&\u0000',
    )
    expect(svg).toContain('<title>&lt;/title&gt;&lt;script&gt;&amp; </title>')
  })
})

const now = new Date('2026-11-22T10:00:00Z')

describe('The line of changes', () => {
  it('ends with the current month, and is higher where more records changed', () => {
    const drawn = drawChanges(
      new Map([
        ['2026-11', 100],
        ['2024-12', 25],
      ]),
      now,
    )
    expect(drawn).toMatchObject({ kind: 'changes', viewBox: '0 0 64 24' })
    const points = (drawn?.path ?? '').slice(1).split('L')
    expect(points).toHaveLength(24)
    expect([points[0], points[1], points[23]]).toEqual(['1 12', '3.7 23', '63 1'])
  })

  it('is not drawn if nothing changed in the last two years', () => {
    expect(drawChanges(new Map([['2024-11', 3]]), now)).toBeNull()
  })
})

describe('The miniature as a file', () => {
  it('escapes markup in its title, and replaces control characters by spaces', () => {
    const svg = toSvg({ kind: 'map', viewBox: '0 0 1 1', path: 'M0 0h0' }, 'A <b> & \u0007c')
    expect(svg).toContain('<title>A &lt;b&gt; &amp;  c</title>')
    expect(svg).toContain('d="M0 0h0"')
  })
})
