import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const names = ['HUB_PORT', 'HUB_HOST', 'pagenumber', 'pagesize', 'Accommodation']

describe('nearest', () => {
  it.each([
    ['HUB_PROT', 'HUB_PORT'],
    ['pagenumer', 'pagenumber'],
    ['page_size', 'pagesize'],
    ['accomodation', 'Accommodation'],
  ])('takes %s for %s', (written, meant) => {
    expect(nearest(written, names)).toBe(meant)
  })

  it('finds no likeness in something else', () => {
    expect(nearest('weather', names)).toBeUndefined()
    expect(nearest('', names)).toBeUndefined()
  })

  it('stays fast on absurd input', () => {
    const started = performance.now()
    nearest('x'.repeat(1_000_000), names)
    expect(performance.now() - started).toBeLessThan(50)
  })
})
