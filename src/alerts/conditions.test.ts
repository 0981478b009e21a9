import { describe, expect, it } from 'vitest'
import { conditions, errorMeter } from './conditions.ts'
import type { Measuring, Sample } from './conditions.ts'

const by = (metrics: Readonly<Record<string, readonly Sample[]>>): Measuring => ({
  samples: (name) => Promise.resolve(metrics[name] ?? []),
  silentFor: () => Promise.resolve(Infinity),
  errors: () => Promise.resolve(undefined),
  node: 'n1',
})
const sample = (labels: Sample['labels'], value: number): Sample => ({ labels, value })

describe('Conditions', () => {
  it('measure the share of stale series by origin', async () => {
    const series = [
      sample({ origin: 'a', state: 'fresh' }, 3),
      sample({ origin: 'a', state: 'stale' }, 2),
      sample({ origin: 'a', state: 'silent' }, 5),
      sample({ origin: 'b', state: 'late' }, 4),
      sample({ origin: 'c', state: 'fresh' }, 0),
    ]
    expect(await conditions['series-stale'].measure(by({ hub_timeseries_series: series }))).toEqual(
      [
        { subject: 'a', value: 70 },
        { subject: 'b', value: 0 },
        { subject: 'c', value: 0 },
      ],
    )
  })

  it('are described with the right plural', () => {
    const { 'messages-dead': dead, 'stream-silent': silent } = conditions
    expect(silent.describe('a/b', '1')).toBe('No message on a/b for 1 minute')
    expect(silent.describe('a/b', '1.5')).toBe('No message on a/b for 1.5 minutes')
    expect(dead.describe('a/b', '1')).toBe('Every attempt to store 1 message on a/b has failed')
  })

  it('measure in minutes and GiB, and ignore a disk whose free space is unknown', async () => {
    const waiting = [sample({ stream: 'a/b' }, 120)]
    const queue = by({ hub_push_oldest_waiting_seconds: waiting })
    expect(await conditions['queue-old'].measure(queue)).toEqual([{ subject: 'a/b', value: 2 }])
    const disk = (bytes: number) => by({ hub_push_free_disk_bytes: [sample({}, bytes)] })
    expect(await conditions['disk-low'].measure(disk(3 * 1024 ** 3))).toEqual([
      { subject: 'n1', value: 3 },
    ])
    expect(await conditions['disk-low'].measure(disk(0))).toEqual([])
  })

  it('count only the errors of the last five minutes', async () => {
    let counted = { good: 0, bad: 0 }
    const percent = errorMeter(() =>
      Promise.resolve([
        sample({ status: '200' }, counted.good),
        sample({ status: '503' }, counted.bad),
      ]),
    )
    expect(await percent()).toBeUndefined()
    counted = { good: 10, bad: 5 }
    expect(await percent()).toBeUndefined()
    counted = { good: 15, bad: 5 }
    expect(await percent()).toBe(25)
    for (let minute = 0; minute < 4; minute += 1) await percent()
    counted = { good: 55, bad: 5 }
    expect(await percent()).toBe(0)
  })
})
