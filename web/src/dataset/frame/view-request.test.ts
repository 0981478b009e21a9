import { expect, test } from 'vitest'
import { everything } from '../query/dataset-query.ts'
import type { Dataset } from '../query/dataset-query.ts'
import { viewRequest } from './view-request.ts'

const content: Dataset = { service: 'content', type: 'Event', list: '/v1/Event' }
const stations: Dataset = {
  service: 'timeseries',
  type: 'ParkingStation',
  list: '/v2/flat,node/ParkingStation',
}
const shown = { panes: ['table', 'map'], fields: ['Id'], pageSize: 100, language: 'de' } as const

test('A table is a page of records with the shown members', () => {
  expect(viewRequest(content, everything, shown)).toMatchObject({
    path: '/v1/Event',
    query: { fields: 'Id', pagesize: 100 },
  })
})

test('A map alone is all places', () => {
  const { query } = viewRequest(content, everything, { ...shown, panes: ['map'] })
  expect(query).toMatchObject({ format: 'geojson', stream: true })
  expect(query['fields']).toContain('Detail.de.Title')
})

test('Data types that are chosen are their latest values', () => {
  const { path } = viewRequest(stations, { ...everything, dataTypes: ['free'] }, shown)
  expect(path).toBe('/v2/flat,node/ParkingStation/free/latest')
  expect(viewRequest(stations, everything, shown).path).toBe('/v2/flat,node/ParkingStation')
})
