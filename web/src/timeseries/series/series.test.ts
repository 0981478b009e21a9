import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  everyType,
  mostSeries,
  parseSeries,
  printSeries,
  seriesCodec,
  parseTime,
  printTime,
  editIds,
  keysOf,
} from './series.ts'

const name = fc.string({ minLength: 1 }).filter((text) => !/[\uD800-\uDFFF]/.test(text))

it('reads every series that it writes, with any names', () => {
  const id = fc.record({ type: name, code: name, dataType: name })
  fc.assert(
    fc.property(id, fc.option(fc.nat(), { nil: undefined }), (one, period) => {
      const whole = period === undefined ? one : { ...one, period }
      expect(parseSeries(printSeries(whole))).toEqual(whole)
    }),
  )
})

it('reads a station alone as all its series', () => {
  expect(parseSeries('ParkingStation/P1')).toEqual({
    type: 'ParkingStation',
    code: 'P1',
    dataType: everyType,
  })
})

it('ignores invalid, repeated and surplus series', () => {
  const many = Array.from({ length: 20 }, (_, index) => `T/${String(index)}/d`)
  expect(seriesCodec.read(['', 'T', 'T/1/d', 'T/1/d'])).toHaveLength(1)
  expect(seriesCodec.read(many)).toHaveLength(mostSeries)
})

it('reads times with a zone as the hub writes them', () => {
  expect(parseTime('2026-11-22 10:40:00.000+0100')).toBe(Date.UTC(2026, 10, 22, 9, 40))
  expect(parseTime('2026-11-22 10:40:00.250-0330')).toBe(Date.UTC(2026, 10, 22, 14, 10, 0, 250))
  expect(parseTime('2026-11-22T10:40:00Z')).toBe(Date.UTC(2026, 10, 22, 10, 40))
  expect(parseTime('yesterday')).toBeNaN()
})

it('writes moments without empty fractions', () => {
  expect(printTime(Date.UTC(2026, 10, 22))).toBe('2026-11-22T00:00:00Z')
})

const idsOf = (...texts: readonly string[]) =>
  texts.map(parseSeries).filter((id) => id !== undefined)
const knownOf = (...texts: readonly string[]) =>
  idsOf(...texts).map((id) => ({ ...id, key: printSeries(id) }))
const edited = (ids: readonly string[], known: readonly string[], wanted: readonly string[]) =>
  editIds(idsOf(...ids), knownOf(...known), wanted).map(printSeries)

it('adds to the selection before its series are loaded', () => {
  expect(edited(['A/1/x'], [], ['A/1/x', 'A/2/x'])).toEqual(['A/1/x', 'A/2/x'])
  expect(edited(['A/1/x', 'A/2/x'], ['A/1/x'], ['A/1/x', 'A/2/x', 'A/3/x'])).toEqual([
    ...['A/1/x', 'A/2/x', 'A/3/x'],
  ])
})

it('keeps missing series, and all series of a station, as they were written', () => {
  const known = ['A/1/x', 'A/1/y']
  const keys = keysOf(idsOf('A/1/*', 'A/gone/x'), knownOf(...known))
  expect(keys).toEqual(['A/1/x', 'A/1/y', 'A/gone/x'])
  expect(edited(['A/1/*', 'A/gone/x'], known, [...keys, 'A/2/x'])).toEqual([
    ...['A/1/*', 'A/gone/x', 'A/2/x'],
  ])
})

it('replaces all series of a station by the rest when one is removed', () => {
  expect(edited(['A/1/*', 'B/1/x'], ['A/1/x', 'A/1/y', 'B/1/x'], ['A/1/y', 'B/1/x'])).toEqual([
    ...['A/1/y', 'B/1/x'],
  ])
})

it('distinguishes series by their period', () => {
  expect(keysOf(idsOf('A/1/x'), knownOf('A/1/x/300', 'A/1/x/600'))).toEqual([
    ...['A/1/x/300', 'A/1/x/600'],
  ])
  expect(edited(['A/1/x'], ['A/1/x/300', 'A/1/x/600'], ['A/1/x/600'])).toEqual(['A/1/x/600'])
})
