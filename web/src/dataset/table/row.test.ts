import { expect, test } from 'vitest'
import type { Column } from '../columns/column.ts'
import { content, stations as carParks } from '../query/sample-datasets.ts'
import { idOf, linkOf, nextSort, sortedBy, seriesLink } from './row.ts'

const stations = {
  ...carParks,
  type: 'Parking Station',
  list: '/v2/flat,node/Parking%20Station',
}
const column: Column = {
  path: 'Detail.*.Title',
  kind: 'text',
  isList: false,
  description: null,
  deprecated: null,
  takesToken: false,
  canSort: true,
  isTitle: true,
  ...{ label: null, unit: null, place: null },
}

test('A click on the header sorts ascending, then descending, then not at all', () => {
  const up = nextSort([], column, 'de')
  expect(up).toEqual([{ path: 'Detail.de.Title', descending: false }])
  const down = nextSort(up, column, 'de')
  expect(sortedBy(down, column, 'de')).toBe('descending')
  expect(nextSort(down, column, 'de')).toEqual([])
})

test('A column that the hub cannot sort keeps the current order', () => {
  const before = [{ path: 'Id', descending: true }]
  expect(nextSort(before, { ...column, canSort: false }, 'de')).toBe(before)
})

test('Titles link to the record, and values to their series', () => {
  expect(idOf(content, { Id: 'A/1' })).toBe('A/1')
  expect(linkOf(content, { Id: 'A/1' }, column)).toBe('/records/Event/A%2F1')
  expect(linkOf(content, { Id: 'A/1' }, { ...column, isTitle: false })).toBeUndefined()
  const value = { ...column, isTitle: false, path: '@free' }
  expect(linkOf(stations, { scode: 'p1' }, value)).toBe(
    '/timeseries?series=Parking+Station%2Fp1%2Ffree',
  )
})

test('All data types of a station are written as a star; slashes in names are escaped', () => {
  const seriesOf = (link: string) => new URL(link, 'http://hub').searchParams.get('series')
  expect(seriesOf(seriesLink(stations, 'p/1'))).toBe('Parking Station/p%2F1/*')
})
