import { expect, test } from 'vitest'
import { everything } from '../query/dataset-query.ts'
import { recordCounter, exportFormats, fileName, toExportRequest } from './export-request.ts'
import { content, stations } from '../query/sample-datasets.ts'
import type { ExportWish } from './export-request.ts'

const wish: ExportWish = { format: 'csv', records: 'these', members: 'shown', what: 'stations' }
const query = { ...everything, search: 'see' }
const fields = ['Id', 'Shortname']

const formats = ['json', 'csv', 'json-ld', 'rawdata', 'ndjson', 'new'].map((name) => ({
  name,
  mediaType: '',
}))

test('Only small datasets offer formats that the hub does not stream', () => {
  expect(exportFormats(formats, 1000)).toEqual([
    'json',
    'csv',
    'excel',
    'json-ld',
    'rawdata',
    'ndjson',
  ])
  expect(exportFormats(formats, 1001)).toEqual(['json', 'csv', 'excel', 'ndjson'])
})

test('The filtered records with the shown columns are requested as one stream', () => {
  expect(toExportRequest(content, query, { wish, fields })).toEqual({
    path: '/v1/Event',
    query: expect.objectContaining({
      searchfilter: 'see',
      fields: 'Id,Shortname',
      format: 'csv',
      stream: true,
    }),
  })
})

test('An export of all records and fields has neither filters nor a field mask', () => {
  const all: ExportWish = { ...wish, records: 'all', members: 'all', format: 'ndjson' }
  const { query: asked } = toExportRequest(content, query, { wish: all, fields })
  expect(asked).toMatchObject({ searchfilter: '', format: 'ndjson' })
  expect(asked).not.toHaveProperty('fields')
})

test('CSV for Excel starts with a byte order mark', () => {
  const { query: asked } = toExportRequest(content, query, {
    wish: { ...wish, format: 'excel' },
    fields,
  })
  expect(asked).toMatchObject({ format: 'csv', bom: true })
})

test('Formats without streaming are requested as one long page with all fields', () => {
  const { query: asked } = toExportRequest(content, query, {
    wish: { ...wish, format: 'json-ld' },
    fields,
  })
  expect(asked).toMatchObject({ format: 'json-ld', pagesize: 1000 })
  expect(asked).not.toHaveProperty('stream')
  expect(asked).not.toHaveProperty('fields')
})

test('The latest values of stations have their own path', () => {
  const { path, query: asked } = toExportRequest(
    stations,
    { ...everything, dataTypes: ['free'] },
    { wish: { ...wish, what: 'latest', format: 'parquet' }, fields },
  )
  expect(path).toBe('/v2/flat,node/ParkingStation/free/latest')
  expect(asked).toMatchObject({ limit: -1, format: 'parquet' })
})

test('Files are named by dataset, day and format', () => {
  const now = new Date('2026-11-22T10:00:00Z')
  expect(fileName(content, 'excel', now)).toBe('Event-2026-11-22.csv')
  expect(fileName({ ...stations, type: 'a/b c' }, 'parquet', now)).toBe('a-b-c-2026-11-22.parquet')
})

const bytes = (text: string) => new TextEncoder().encode(text)

test('Records are counted by lines, except the header and quoted line breaks of CSV', () => {
  const lines = recordCounter('ndjson')
  lines(bytes('{"a":"\\n"}\n{"a'))
  expect(lines(bytes('":1}\n'))).toBe(2)
  const csv = recordCounter('csv')
  csv(bytes('Id,Text\r\n1,"two\n'))
  expect(csv(bytes('lines ""quoted"""\r\n2,b\r\n'))).toBe(2)
  expect(recordCounter('parquet')(bytes('\n\n'))).toBeUndefined()
})
