import { expect, test } from 'vitest'
import type { Member } from '../../api/index.ts'
import type { DatasetDetails } from '../dataset-details.ts'
import { fieldsOf, sortPathOf } from './column.ts'
import type { Dataset } from '../query/dataset-query.ts'
import { content, stations } from '../query/sample-datasets.ts'
import { chooseColumns, columnsOf, findColumns, moveColumn, labelOf } from './columns-of.ts'

const member = (path: string, more: Partial<Member> = {}): Member => ({
  path,
  type: 'text',
  description: null,
  isList: false,
  canFilter: true,
  canSort: true,
  takesToken: false,
  operators: [],
  at: 'records',
  deprecated: null,
  ...{ part: null, entity: null },
  ...{ label: null, role: null, unit: null, filters: [], column: null },
  ...more,
})

const detailsOf = (
  members: readonly Member[],
  dataTypes: readonly string[] = [],
): DatasetDetails => ({
  members,
  parameters: [],
  entry: {
    count: 1,
    languages: [],
    formats: [],
    standards: [],
    dataTypes: dataTypes.map((id) => ({ id, count: 1 })),
  },
})

const event = detailsOf([
  member('Id'),
  member('LastChange', { type: 'time', column: 3 }),
  member('Detail.{language}.Title', { column: 2 }),
  member('Tags.[*].Id', { isList: true, canSort: false }),
  member('ImageGallery.[*].ImageUrl', { role: 'image', isList: true, canSort: false, column: 1 }),
  member('GpsInfo.[*]', { role: 'place', type: 'object', isList: true, canSort: false, column: 4 }),
  member('Altitude', { type: 'number' }),
])

const pathsOf = (details: DatasetDetails, dataset: Dataset, chosen: readonly string[]) =>
  chooseColumns(columnsOf(dataset, details), chosen).map(({ path }) => path)

test('The default columns are those that the hub specifies, in its order', () => {
  expect(pathsOf(event, content, [])).toEqual([
    'ImageGallery.[*].ImageUrl',
    'Detail.*.Title',
    'LastChange',
    'GpsInfo.[*]',
  ])
})

test('Selected columns keep their order, and unknown columns are ignored', () => {
  expect(pathsOf(event, content, ['Altitude', 'Nonsense', 'Id'])).toEqual(['Altitude', 'Id'])
  expect(pathsOf(event, content, ['Nonsense'])).toHaveLength(4)
})

test('Stations show their latest values beside their metadata', () => {
  const parking = detailsOf(
    [
      member('sname', { at: 'stations', column: 1 }),
      member('pname', { at: 'stations' }),
      member('mvalue', { at: 'values' }),
      member('smetadata.capacity', { at: 'stations', type: 'number', column: 2 }),
    ],
    ['free'],
  )
  expect(pathsOf(parking, stations, [])).toEqual(['sname', '@free', 'smetadata.capacity'])
  expect(columnsOf(stations, parking).map(({ path }) => path)).not.toContain('mvalue')
})

test('A column requests the fields that it needs, and texts in several languages', () => {
  const fields = columnsOf(content, event).map((column) => fieldsOf(column, ['de', 'en']))
  expect(fields).toEqual([
    ['Id'],
    ['LastChange'],
    ['Detail.de.Title', 'Detail.en.Title'],
    ['Tags.[*].Id'],
    ['ImageGallery.[0].ImageUrl'],
    ['GpsInfo.[0]'],
    ['Altitude'],
  ])
})

test('A text is sorted in the language in which it is shown', () => {
  const [, , title] = columnsOf(content, event)
  expect(title === undefined ? '' : sortPathOf(title, 'it')).toBe('Detail.it.Title')
})

test('Columns are named by the labels of the hub, or by the end of their path', () => {
  const label = { de: 'Länge', it: 'Lunghezza', en: 'Length' }
  expect(labelOf({ path: 'DistanceLength', label, unit: 'm' }, 'it')).toBe('Lunghezza (m)')
  expect(labelOf({ path: 'DistanceLength', label, unit: null }, 'de')).toBe('Länge')
  const paths = ['@free', 'ContactInfos.*.Address', 'Tags.[*].Id']
  expect(paths.map((path) => labelOf({ path, label: null, unit: null }, 'en'))).toEqual([
    'free',
    'ContactInfos › Address',
    'Tags › Id',
  ])
})

test('Columns are found by all words of the search, with matching starts of names first', () => {
  const all = columnsOf(content, event)
  const found = (search: string) =>
    findColumns(all, search, ({ path }) => path).map((one) => one.path)
  expect(found('ta')).toEqual(['Tags.[*].Id', 'Detail.*.Title'])
  expect(found('tag id')).toEqual(['Tags.[*].Id'])
  expect(found(' ')).toHaveLength(7)
  expect(found('zzz')).toEqual([])
})

test('A column moves by positions, up to the ends', () => {
  expect(moveColumn(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b'])
  expect(moveColumn(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c'])
  expect(moveColumn(['a', 'b', 'c'], 'a', 9)).toEqual(['b', 'c', 'a'])
  expect(moveColumn(['a'], 'x', 1)).toEqual(['a'])
})
