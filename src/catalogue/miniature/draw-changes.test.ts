import { describe, expect, it } from 'vitest'
import { drawChanges } from './draw-changes.ts'
import { toSvg } from '../routes.ts'

const now = new Date('2026-11-22T10:00:00Z')

describe('The line of changes', () => {
  it('ends with the present month, and rises where more records changed', () => {
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

  it('is not drawn where nothing changed in the last two years', () => {
    expect(drawChanges(new Map([['2024-11', 3]]), now)).toBeNull()
  })
})

describe('The miniature as a file', () => {
  it('shows a title as it is written, which is no markup', () => {
    const svg = toSvg({ kind: 'map', viewBox: '0 0 1 1', path: 'M0 0h0' }, 'A <b> & \u0007c')
    expect(svg).toContain('<title>A &lt;b&gt; &amp;  c</title>')
    expect(svg).toContain('d="M0 0h0"')
  })
})
