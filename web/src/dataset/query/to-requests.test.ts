import { expect, test } from 'vitest'
import { everything } from './dataset-query.ts'
import type { Dataset, DatasetQuery } from './dataset-query.ts'
import { addressOf } from '../../api/query.ts'
import type { ApiRequest } from './to-requests.ts'
import { content, stations } from './sample-datasets.ts'
import { toCountRequest, toLatestRequest, toListRequest, toStreamRequest } from './to-requests.ts'

const slice = { page: 0, size: 200 }

const written = ({ path, query }: ApiRequest) => decodeURIComponent(addressOf(path, query))
const having = (changed: Partial<DatasetQuery>): DatasetQuery => ({ ...everything, ...changed })

test('A query without filters requests only a page', () => {
  expect(written(toListRequest(content, everything, slice))).toBe('/v1/Event?pagesize=200')
  expect(written(toListRequest(stations, everything, slice))).toBe(
    '/v2/flat,node/ParkingStation?limit=200',
  )
})

test('A list is requested at the path that the catalogue specifies', () => {
  const forecast: Dataset = {
    ...content,
    type: 'WeatherForecast',
    list: '/v1/Weather/Forecast',
  }
  expect(written(toListRequest(forecast, everything, slice))).toBe(
    '/v1/Weather/Forecast?pagesize=200',
  )
  expect(written(toStreamRequest(forecast, everything, { format: 'geojson' }))).toBe(
    '/v1/Weather/Forecast?format=geojson&stream=true',
  )
})

test('Later pages use a page number for content, and an offset for stations', () => {
  const later = { page: 2, size: 200, fields: ['Id', 'Shortname'] }
  expect(written(toListRequest(content, everything, later))).toBe(
    '/v1/Event?fields=Id,Shortname&pagesize=200&pagenumber=3',
  )
  expect(written(toListRequest(stations, everything, later))).toBe(
    '/v2/flat,node/ParkingStation?select=Id,Shortname&limit=200&offset=400',
  )
})

test('Content filters are parameters, and licences are added to the written expression', () => {
  const query = having({
    search: 'see',
    tags: ['a', 'b'],
    tagMode: 'all',
    languages: ['de', 'it'],
    active: 'yes',
    licences: ["it's"],
    expression: 'eq(Active,true)',
    parameters: { begindate: '2026-11-01' },
    sort: [{ path: 'LastChange', descending: true }],
  })
  expect(toListRequest(content, query, slice).query).toMatchObject({
    searchfilter: 'see',
    tagfilter: 'and(a,b)',
    langfilter: 'de,it',
    active: true,
    begindate: '2026-11-01',
    rawfilter: "and(in(LicenseInfo.License,'it''s'),eq(Active,true))",
    rawsort: '-LastChange',
  })
})

test('Station filters are combined into one condition', () => {
  const query = having({
    search: 'P1 (a)',
    active: 'no',
    sources: ['FAMAS', 'skidata'],
    expression: 'smetadata.capacity.gt.200',
    area: { kind: 'circle', centre: [11.3, 46.5], metres: 100 },
  })
  expect(toListRequest(stations, query, slice).query).toMatchObject({
    origin: 'FAMAS,skidata',
    where: String.raw`or(sname.ire."P1 \\(a\\)",scode.ire."P1 \\(a\\)"),sactive.eq.false,scoordinate.dlt.(100,11.3,46.5),smetadata.capacity.gt.200`,
  })
})

test('Stations are counted by the hub', () => {
  expect(written(toCountRequest(stations, having({ active: 'yes' })))).toBe(
    '/v2/flat,node/ParkingStation?where=sactive.eq.true&select=count(scode)',
  )
})

test('Latest values are requested for given stations and selected data types', () => {
  const request = toLatestRequest(stations, having({ dataTypes: ['free', 'a b'] }), ['x"y'])
  expect(request.path).toBe('/v2/flat,node/ParkingStation/free,a%20b/latest')
  expect(request.query['where']).toBe(String.raw`scode.in.("x\"y")`)
})

test('A stream requests all records in the selected order', () => {
  const query = having({ sort: [{ path: 'Shortname', descending: false }] })
  expect(written(toStreamRequest(content, query, { format: 'csv', fields: ['Id'] }))).toBe(
    '/v1/Event?rawsort=Shortname&fields=Id&format=csv&stream=true',
  )
  expect(written(toStreamRequest(stations, query, { format: 'parquet' }))).toBe(
    '/v2/flat,node/ParkingStation?limit=-1&format=parquet',
  )
})
