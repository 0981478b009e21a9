import { describe, expect, it } from 'vitest'
import { allRejected, beginProgress, takeSlice } from './progress.ts'

const sliceOf = (objects: string, rejections = 0) => ({
  ...{ next: 1, total: 2, objects },
  rejected: Array.from({ length: rejections }, () => ({ source: 0, reason: 'is bad' })),
})

describe('What is known of a message', () => {
  it('grows by what there is room for', () => {
    const progress = beginProgress(250)
    expect(takeSlice(sliceOf('[0,[{"n":1},2]]'), progress)).toBe(true)
    expect(progress).toMatchObject({ next: 1, total: 2, objects: [{ source: 0 }, { value: 2 }] })
    expect(takeSlice({ ...sliceOf('[1,[3]]'), next: 2 }, progress)).toBe(false)
    expect(progress).toMatchObject({ next: 1, objects: [{}, {}] })
    expect(takeSlice(sliceOf('', 3), beginProgress(250))).toBe(false)
  })

  it('counts rejections that it does not keep', () => {
    const progress = beginProgress(1e9)
    takeSlice(sliceOf('', 98_999), progress)
    expect(allRejected(progress)).toHaveLength(98_999)
    takeSlice(sliceOf('', 5), progress)
    expect(allRejected(progress)).toHaveLength(99_001)
    expect(allRejected(progress).at(-1)?.reason).toBe('4 more rejections are not listed')
  })

  it('refuses what it does not understand', () => {
    expect(() => takeSlice(sliceOf('[0,1]'), beginProgress(1000))).toThrow('unknown answer')
  })
})
