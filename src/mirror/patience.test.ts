import { expect, it } from 'vitest'
import { createPatience, delayBefore } from './patience.ts'
import type { Attempt } from './patience.ts'

const later: Attempt<string> = { kind: 'later', reason: 'It is away.' }

function patience() {
  const delays: number[] = []
  const lines: string[] = []
  const stop = new AbortController()
  const { attempt } = createPatience({
    sleep: async (milliseconds) => {
      delays.push(milliseconds)
    },
    random: () => 1,
    signal: stop.signal,
    report: (text) => lines.push(text),
  })
  return { attempt, delays, lines, stop }
}

const failing = (times: number, attempt: Attempt<string> = later) => {
  let left = times
  return async (): Promise<Attempt<string>> =>
    left-- > 0 ? attempt : { kind: 'done', value: 'there' }
}

it('Pauses double up to a minute, and vary by half', () => {
  expect([1, 2, 3, 4].map((failures) => delayBefore(failures, 1))).toEqual([500, 1000, 2000, 4000])
  expect(delayBefore(1, 0)).toBe(250)
  expect(delayBefore(50, 1)).toBe(60_000)
  expect(delayBefore(1, 1, 10_000)).toBe(10_500)
  expect(delayBefore(1, 1, 1e12)).toBe(3_600_500)
})

it('Work is attempted until it is done, and lasting failures are reported once', async () => {
  const { attempt, delays, lines } = patience()
  expect(await attempt(failing(2))).toBe('there')
  expect(lines).toEqual([])
  expect(await attempt(failing(5))).toBe('there')
  expect(lines).toEqual(['It is away. The mirror tries again until it works.', 'It works again.'])
  expect(delays).toEqual([500, 1000, 500, 1000, 2000, 4000, 8000])
})

it('The other side may request a longer pause', async () => {
  const { attempt, delays } = patience()
  await attempt(failing(1, { ...later, after: 7000 }))
  expect(delays).toEqual([7500])
})

it('Nothing is attempted once the mirror is stopped', async () => {
  const { attempt, stop } = patience()
  stop.abort()
  await expect(attempt(failing(0))).rejects.toThrow('aborted')
})
