import { expect, test } from 'vitest'
import { readQuery, writeQuery } from './address-of-query.ts'
import { countFilters, everything, withoutFilters } from './dataset-query.ts'
import type { DatasetQuery } from './dataset-query.ts'

const chosen: DatasetQuery = {
  search: 'See & Berg',
  tags: ['summer', 'winter,hike'],
  tagMode: 'all',
  languages: ['de', 'it'],
  sources: ['lts'],
  licences: ['CC0'],
  active: 'no',
  area: { kind: 'circle', centre: [11.3, 46.5], metres: 500 },
  expression: "like(Detail.de.Title,'a,b')",
  dataTypes: ['free'],
  parameters: { begindate: '2026-11-01' },
  sort: [
    { path: 'LastChange', descending: true },
    { path: 'Shortname', descending: false },
  ],
  columns: ['Id', 'Detail.*.Title'],
  texts: 'it',
  panes: ['map', 'raw'],
  pane: 'raw',
  selected: 'A/1',
}

function written(query: DatasetQuery): URLSearchParams {
  const search = new URLSearchParams()
  writeQuery(search, query)
  return search
}

test('All selections are read back from the URL', () => {
  expect(readQuery(new URLSearchParams(written(chosen).toString()))).toEqual(chosen)
})

test('A query without selections adds nothing to the URL', () => {
  expect(written(everything).toString()).toBe('')
  expect(readQuery(new URLSearchParams())).toEqual(everything)
})

test('Other parameters of the URL stay, and removed filters are deleted from it', () => {
  const search = new URLSearchParams('lang=de&by.begindate=2026-01-01&tag=old')
  writeQuery(search, everything)
  expect(search.toString()).toBe('lang=de')
})

test('Invalid parameters in the URL are ignored', () => {
  const search = new URLSearchParams('active=perhaps&area=box:1,2&panes=kitchen&pane=x&tags=none')
  expect(readQuery(search)).toEqual(everything)
})

test('A repeated value in the URL is selected once', () => {
  const twice = readQuery(
    new URLSearchParams('columns=Id,Id,Active&tag=a&tag=a&in=de,de&sort=Id,Id'),
  )
  expect(twice).toMatchObject({ columns: ['Id', 'Active'], tags: ['a'], languages: ['de'] })
  expect(twice.sort).toHaveLength(1)
})

test('Each filter is counted, and none is left when all are removed', () => {
  expect(countFilters(chosen)).toBe(12)
  const { sort, columns } = withoutFilters(chosen)
  expect(countFilters(withoutFilters(chosen))).toBe(0)
  expect([sort, columns]).toEqual([chosen.sort, chosen.columns])
})
