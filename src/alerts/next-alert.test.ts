import { describe, expect, it } from 'vitest'
import { nextAlert } from './next-alert.ts'
import type { Alert } from './next-alert.ts'
import type { AlertRule } from './rules.ts'

const start = Date.UTC(2026, 0, 1)
const at = (minutes: number) => new Date(start + minutes * 60_000)
const rule: AlertRule = { name: 'old', watch: 'queue-old', limit: 10, for: 5, remind: 1 }

type Step = readonly [minute: number, value: number | undefined, silence?: 'silenced' | 'heard']

/** Returns the notifications, each with its minute. */
function notifications(
  steps: readonly Step[],
  of: AlertRule = rule,
  change = (alert: Alert) => alert,
) {
  let alert: Alert | undefined
  return steps.flatMap(([minute, value, silence = 'heard']) => {
    const found = value === undefined ? undefined : { subject: 'a/b', value }
    const next = nextAlert(alert, found, { rule: of, now: at(minute), silence })
    alert = next.alert && change(next.alert)
    return next.notify === undefined ? [] : [[minute, next.notify]]
  })
}

describe('An alert', () => {
  it('fires once its condition has held for long enough, and notifies once', () => {
    expect(
      notifications([
        [0, 11],
        [4, 11],
        [5, 12],
        [6, 13],
      ]),
    ).toEqual([[5, 'firing']])
    expect(
      notifications([
        [0, 11],
        [4, 10],
        [5, 11],
        [9, 11],
      ]),
    ).toEqual([])
    expect(notifications([[0, 11]], { ...rule, for: 0 })).toEqual([[0, 'firing']])
  })

  it('fires below the limit if the limit is a minimum', () => {
    const disk: AlertRule = { name: 'disk', watch: 'disk-low', limit: 2 }
    expect(
      notifications(
        [
          [0, 2],
          [1, 1.9],
          [2, 2],
        ],
        disk,
      ),
    ).toEqual([
      [1, 'firing'],
      [2, 'resolved'],
    ])
  })

  it('is resolved when its condition no longer holds, and notifies only if it has fired', () => {
    expect(
      notifications([
        [0, 11],
        [5, 11],
        [6, 10],
        [7, 10],
      ]),
    ).toEqual([
      [5, 'firing'],
      [6, 'resolved'],
    ])
    expect(
      notifications([
        [0, 11],
        [5, 11],
        [6, undefined],
      ]),
    ).toEqual([
      [5, 'firing'],
      [6, 'resolved'],
    ])
    expect(
      notifications([
        [0, 11],
        [1, 9],
      ]),
    ).toEqual([])
  })

  it('notifies again after the reminder interval, unless it is acknowledged', () => {
    const steps: readonly Step[] = [
      [0, 11],
      [5, 11],
      [64, 11],
      [65, 11],
      [124, 11],
      [125, 11],
    ]
    expect(notifications(steps)).toEqual([
      [5, 'firing'],
      [65, 'firing'],
      [125, 'firing'],
    ])
    const taken = (alert: Alert) => ({ ...alert, acknowledged: at(6) })
    expect(notifications(steps, rule, taken)).toEqual([[5, 'firing']])
  })

  it('notifies when a silence ends, if it still fires', () => {
    expect(
      notifications([
        [0, 11],
        [5, 11, 'silenced'],
        [6, 11],
      ]),
    ).toEqual([[6, 'firing']])
    expect(
      notifications([
        [0, 11],
        [5, 11, 'silenced'],
        [6, 9],
      ]),
    ).toEqual([])
    expect(
      notifications([
        [0, 11],
        [5, 11],
        [6, 9, 'silenced'],
      ]),
    ).toEqual([
      [5, 'firing'],
      [6, 'resolved'],
    ])
  })

  it('of another node is kept while that node may still report', () => {
    const errors: AlertRule = { name: 'errors', watch: 'error-rate', limit: 1 }
    const steps: readonly Step[] = [
      [0, 5],
      [9, undefined],
      [10, undefined],
    ]
    expect(notifications(steps, errors)).toEqual([
      [0, 'firing'],
      [10, 'resolved'],
    ])
  })
})
