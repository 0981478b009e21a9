import { setTimeout as pause } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it, vi } from 'vitest'
import { beginProgress, takeSlice, watchLife } from './mapper.ts'

const sliceOf = (objects: string, rejections = 0) => ({
  ...{ next: 1, total: 2, objects },
  rejected: Array.from({ length: rejections }, () => ({ source: 0, reason: 'is bad' })),
})

describe('The progress of a message', () => {
  it('stores results only up to its size limit', () => {
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
    expect([progress.rejected.length, progress.unlisted]).toEqual([98_999, 0])
    takeSlice(sliceOf('', 5), progress)
    expect([progress.rejected.length, progress.unlisted]).toEqual([99_000, 4])
  })

  it('refuses an unknown response', () => {
    expect(() => takeSlice(sliceOf('[0,1]'), beginProgress(1000))).toThrow('unknown answer')
  })
})

function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

describe('The watchdog', () => {
  it('reports silence, but only after the first signal', async () => {
    const onSilence = vi.fn()
    const { sign } = watchLife(30, onSilence)
    await pause(80)
    expect(onSilence).not.toHaveBeenCalled()
    sign()
    await expect.poll(() => onSilence.mock.calls.length).toBe(1)
  })

  it('recognizes a signal that arrived while its own thread was busy', async () => {
    const onSilence = vi.fn()
    const { sign, end } = watchLife(1000, onSilence)
    const { port1, port2 } = new MessageChannel()
    port1.on('message', sign)
    sign()
    port2.postMessage('alive')
    block(1300)
    await pause(100)
    expect(onSilence).not.toHaveBeenCalled()
    end()
    port1.close()
  })
})
