import { setTimeout as pause } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it, vi } from 'vitest'
import { watchLife } from './watch-life.ts'

function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

describe('The watch for signs of life', () => {
  it('tells when none came in time, and not before the first one', async () => {
    const onSilence = vi.fn()
    const { sign } = watchLife(30, onSilence)
    await pause(80)
    expect(onSilence).not.toHaveBeenCalled()
    sign()
    await expect.poll(() => onSilence.mock.calls.length).toBe(1)
  })

  it('sees what came while the thread itself was busy', async () => {
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
