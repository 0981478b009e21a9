import { expect, it } from 'vitest'
import { editIds, keysOf } from './edit-ids.ts'
import { parseSeries, printSeries } from './series-id.ts'

const idsOf = (...texts: readonly string[]) =>
  texts.map(parseSeries).filter((id) => id !== undefined)
const knownOf = (...texts: readonly string[]) =>
  idsOf(...texts).map((id) => ({ ...id, key: printSeries(id) }))
const edited = (ids: readonly string[], known: readonly string[], wanted: readonly string[]) =>
  editIds(idsOf(...ids), knownOf(...known), wanted).map(printSeries)

it('adds to what is chosen before any of it is known', () => {
  expect(edited(['A/1/x'], [], ['A/1/x', 'A/2/x'])).toEqual(['A/1/x', 'A/2/x'])
  expect(edited(['A/1/x', 'A/2/x'], ['A/1/x'], ['A/1/x', 'A/2/x', 'A/3/x'])).toEqual([
    ...['A/1/x', 'A/2/x', 'A/3/x'],
  ])
})

it('keeps what is not there, and all of a station, as they were written', () => {
  const known = ['A/1/x', 'A/1/y']
  const keys = keysOf(idsOf('A/1/*', 'A/gone/x'), knownOf(...known))
  expect(keys).toEqual(['A/1/x', 'A/1/y', 'A/gone/x'])
  expect(edited(['A/1/*', 'A/gone/x'], known, [...keys, 'A/2/x'])).toEqual([
    ...['A/1/*', 'A/gone/x', 'A/2/x'],
  ])
})

it('takes all of a station apart where one of its series is taken out', () => {
  expect(edited(['A/1/*', 'B/1/x'], ['A/1/x', 'A/1/y', 'B/1/x'], ['A/1/y', 'B/1/x'])).toEqual([
    ...['A/1/y', 'B/1/x'],
  ])
})

it('tells series apart that differ by their period', () => {
  expect(keysOf(idsOf('A/1/x'), knownOf('A/1/x/300', 'A/1/x/600'))).toEqual([
    ...['A/1/x/300', 'A/1/x/600'],
  ])
  expect(edited(['A/1/x'], ['A/1/x/300', 'A/1/x/600'], ['A/1/x/600'])).toEqual(['A/1/x/600'])
})
