import { describe, expect, it } from 'vitest'
import { toNaming } from '../content/index.ts'
import type { CanonicalObject } from './canonical.ts'
import type { MeasurementItem } from '../timeseries/index.ts'
import { planRegion } from './index.ts'

const hour = 3_600_000
const until = new Date('2026-11-20T12:00:00Z')
const plan = { seed: 3, scale: 0.2, naming: toNaming('Hub'), publicUrl: 'http://localhost:8080' }
const region = planRegion({ ...plan, until })

const valuesIn = (objects: Iterable<CanonicalObject>) =>
  [...objects].flatMap((object) => (object.kind === 'measurements' ? object.items : []))
const sorted = (items: readonly MeasurementItem[]) =>
  items.map((item) => JSON.stringify(item)).sort()
const after = (milliseconds: number) => new Date(until.getTime() + milliseconds)

describe('measurements of the synthetic region', { timeout: 30_000 }, () => {
  const values = valuesIn(region.measurements())

  it('have at most one value of a series for each time', () => {
    const keys = values.map(([code, type, time]) => `${code} ${type} ${time}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('are ordered by day, newest first', () => {
    const told = [...region.measurements()].map(({ recorded }) => recorded)
    expect(told).toEqual(told.toSorted().reverse())
    const [last, before] = [...new Set(told)]
    expect(last).toBe(until.toISOString())
    expect(before).toBe(after(-24 * hour).toISOString())
    expect(new Set(told).size).toBeLessThan(10)
  })

  it('continue where the history ends: a later history is the earlier one plus live values', () => {
    const later = new Set(
      sorted(valuesIn(planRegion({ ...plan, until: after(2 * hour) }).measurements())),
    )
    const life = sorted(valuesIn(region.live(until, after(2 * hour))))
    expect(life.filter((text) => !later.has(text))).toEqual([])
    const known = new Set([...sorted(values), ...life])
    expect([...later].filter((text) => !known.has(text))).toEqual([])
    expect(life.length).toBeGreaterThan(500)
  })

  it('are the same when live, minute by minute or all at once', () => {
    const minutes = Array.from({ length: 90 }, (_, index) =>
      valuesIn(region.live(after(index * 60_000), after((index + 1) * 60_000))),
    )
    const atOnce = valuesIn(region.live(until, after(90 * 60_000)))
    expect(sorted(minutes.flat())).toEqual(sorted(atOnce))
  })

  it('arrive every minute at scale 1', () => {
    const large = planRegion({ ...plan, scale: 1, until })
    for (let minute = 0; minute < 60; minute++) {
      const items = valuesIn(large.live(after(minute * 60_000), after((minute + 1) * 60_000)))
      expect(items.length).toBeGreaterThan(0)
    }
  })

  it('sometimes arrive late', () => {
    const lateOnes = valuesIn(region.live(until, after(60_000))).filter(
      ([, , time]) => Date.parse(time) < until.getTime(),
    )
    const soon = valuesIn(region.live(until, after(3 * hour))).filter(
      ([, , time]) => Date.parse(time) <= until.getTime(),
    )
    expect(lateOnes.length + soon.length).toBeGreaterThan(3)
  })

  it('have gaps', () => {
    const parking = values.filter(([code, type]) => code === 'parking-0001' && type === 'occupied')
    expect(parking.length).toBeLessThan(30 * 48)
    expect(parking.length).toBeGreaterThan(30 * 36)
  })

  it('have future times only in forecasts', () => {
    const ahead = values.filter(([, , time]) => Date.parse(time) > until.getTime())
    const types = new Set(ahead.map(([, type]) => type))
    expect([...types].sort()).toEqual([
      'forecast-air-temperature',
      'parking-forecast-120',
      'parking-forecast-60',
      'qualitative-forecast',
      'traffic-forecast',
    ])
  })

  it('are numbers, texts and objects', () => {
    expect(new Set(values.map(([, , , value]) => typeof value))).toEqual(
      new Set(['number', 'string', 'object']),
    )
  })

  it('vary by hour and weekday: roads are busier at eight than at three, and on weekdays', () => {
    const vehicles = values.filter(([, type]) => type === 'Nr. Light Vehicles')
    const mean = (chosen: (time: Date) => boolean) => {
      const list = vehicles.filter(([, , time]) => chosen(new Date(time)))
      return list.reduce((sum, [, , , value]) => sum + Number(value), 0) / list.length
    }
    const isWorkday = (time: Date) => time.getUTCDay() % 6 !== 0
    const morning = (time: Date) => time.getUTCHours() === 7
    expect(mean((time) => morning(time) && isWorkday(time))).toBeGreaterThan(
      5 * mean((time) => time.getUTCHours() === 2),
    )
    expect(mean((time) => morning(time) && isWorkday(time))).toBeGreaterThan(
      1.5 * mean((time) => morning(time) && !isWorkday(time)),
    )
  })

  it('are consistent: free and occupied spaces add up to the capacity', () => {
    const capacity = new Map(
      [...region.stations()].flatMap(({ items }) =>
        items.map(({ code, metadata }) => [code, metadata['capacity']] as const),
      ),
    )
    const occupied = new Map(
      values.filter(([, type]) => type === 'occupied').map(([code, , time, n]) => [code + time, n]),
    )
    const pairs = values.flatMap(([code, type, time, free]) => {
      const taken = type === 'free' ? occupied.get(code + time) : undefined
      return taken === undefined
        ? []
        : [[Number(free) + Number(taken), capacity.get(code)] as const]
    })
    expect(pairs.filter(([sum, places]) => sum !== places)).toEqual([])
    expect(pairs.length).toBeGreaterThan(5000)
  })
})
