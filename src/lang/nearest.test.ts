import { describe, expect, it } from 'vitest'
import { cpuMilliseconds } from '../../test/fixtures/cpu-milliseconds.ts'
import { nearest } from './nearest.ts'

const names = ['HUB_PORT', 'HUB_HOST', 'pagenumber', 'pagesize', 'Accommodation']

describe('nearest', () => {
  it.each([
    ['HUB_PROT', 'HUB_PORT'],
    ['pagenumer', 'pagenumber'],
    ['page_size', 'pagesize'],
    ['accomodation', 'Accommodation'],
  ])('corrects %s to %s', (written, meant) => {
    expect(nearest(written, names)).toBe(meant)
  })

  it('finds nothing for an unrelated word', () => {
    expect(nearest('weather', names)).toBeUndefined()
    expect(nearest('', names)).toBeUndefined()
  })

  it('stays fast on absurd input', () => {
    const absurd = 'x'.repeat(1_000_000)
    expect(cpuMilliseconds(() => nearest(absurd, names))).toBeLessThan(50)
  })
})
