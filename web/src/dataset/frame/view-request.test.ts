import { expect, test } from 'vitest'
import { everything } from '../query/dataset-query.ts'
import { content, stations } from '../query/sample-datasets.ts'
import { viewRequests, wantedLanguages } from './view-request.ts'

const shown = { panes: ['table', 'map'], fields: ['Id'], pageSize: 100, language: 'de' } as const

test('A table requests a page of records with the shown fields', () => {
  expect(viewRequests(content, everything, shown)[0]).toMatchObject({
    path: '/v1/Event',
    query: { fields: 'Id', pagesize: 100 },
  })
})

test('A map alone requests all places', () => {
  const [{ query }] = viewRequests(content, everything, { ...shown, panes: ['map'] })
  expect(query).toMatchObject({ format: 'geojson', stream: true })
  expect(query['fields']).toContain('Detail.de.Title')
})

test('A table of stations requests the stations and the latest values in its columns', () => {
  const paths = (dataTypes: readonly string[]) =>
    viewRequests(stations, { ...everything, dataTypes }, shown).map(({ path }) => path)
  const list = '/v2/flat,node/ParkingStation'
  expect(paths([])).toEqual([list, `${list}/*/latest`])
  expect(paths(['free'])).toEqual([list, `${list}/free/latest`])
})

test('The selected language is first, then that of the page, then the available ones', () => {
  expect(wantedLanguages('', 'de', ['en', 'it', 'de'])).toEqual(['de', 'en', 'it'])
  expect(wantedLanguages('fr', 'de', ['de', 'fr', 'en'])).toEqual(['fr', 'de', 'en'])
})

test('Languages missing in a dataset are not requested, except that of the page', () => {
  expect(wantedLanguages('', 'it', ['de'])).toEqual(['it', 'de'])
})
