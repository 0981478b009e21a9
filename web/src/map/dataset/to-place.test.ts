import { expect, test } from 'vitest'
import { fieldsOf, toPlace } from './to-place.ts'

const geometry = { type: 'Point', coordinates: [11, 46] }
const fields = fieldsOf({ service: 'content', type: 'Event', list: '/v1/Event' }, 'de')

test('A record is called as in the language of the reader, else by its short name', () => {
  const properties = { Id: 'A', 'Detail.de.Title': 'Markt', Shortname: 'Market' }
  expect(toPlace({ geometry, properties }, fields)).toEqual({ id: 'A', title: 'Markt', geometry })
  const untranslated = { ...properties, 'Detail.de.Title': null }
  expect(toPlace({ geometry, properties: untranslated }, fields)?.title).toBe('Market')
  expect(toPlace({ geometry, properties: { Id: 'A' } }, fields)?.title).toBe('')
})

test('A station is known by its code', () => {
  const station = fieldsOf(
    { service: 'timeseries', type: 'ParkingStation', list: '/v2/flat,node/ParkingStation' },
    'de',
  )
  const properties = { scode: 'p1', sname: 'P1' }
  expect(toPlace({ geometry, properties }, station)).toMatchObject({ id: 'p1', title: 'P1' })
})

test.each([
  { geometry: null, properties: { Id: 'A' } },
  { geometry, properties: null },
  { geometry, properties: {} },
  'nothing',
  null,
])('%j is no place', (feature) => {
  expect(toPlace(feature, fields)).toBeUndefined()
})
