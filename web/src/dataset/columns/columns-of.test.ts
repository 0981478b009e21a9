import { expect, test } from 'vitest'
import type { Member } from '../../api/index.ts'
import type { DatasetDetails } from '../dataset-details.ts'
import type { Dataset } from '../query/index.ts'
import { fieldsOf, sortPathOf } from './column.ts'
import { chooseColumns, columnsOf, findColumns, moveColumn, labelOf } from './columns-of.ts'

const content: Dataset = { service: 'content', type: 'Event', list: '/v1/Event' }
const stations: Dataset = {
  service: 'timeseries',
  type: 'ParkingStation',
  list: '/v2/flat,node/ParkingStation',
}

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
  ...more,
})

const detailsOf = (
  members: readonly Member[],
  dataTypes: readonly string[] = [],
): DatasetDetails => ({
  members,
  entry: {
    count: 1,
    languages: [],
    formats: [],
    dataTypes: dataTypes.map((id) => ({ id, count: 1 })),
  },
})

const event = detailsOf([
  member('Id'),
  member('LastChange', { type: 'time' }),
  member('Detail.{language}.Title'),
  member('Tags.[*].Id', { isList: true, canSort: false }),
  member('ImageGallery.[*].ImageUrl', { isList: true, canSort: false }),
  member('GpsInfo.[*]', { type: 'object', isList: true, canSort: false }),
  member('Altitude', { type: 'number' }),
])

const pathsOf = (details: DatasetDetails, dataset: Dataset, chosen: readonly string[]) =>
  chooseColumns(dataset, columnsOf(dataset, details), chosen).map(({ path }) => path)

test('The usual columns of content begin with a picture and the title', () => {
  expect(pathsOf(event, content, [])).toEqual([
    'ImageGallery.[*].ImageUrl',
    'Detail.*.Title',
    'LastChange',
    'GpsInfo.[*]',
  ])
})

test('Chosen columns come in their order; those that there are not are left out', () => {
  expect(pathsOf(event, content, ['Altitude', 'Nonsense', 'Id'])).toEqual(['Altitude', 'Id'])
  expect(pathsOf(event, content, ['Nonsense'])).toHaveLength(4)
})

test('Stations show their latest values beside their metadata', () => {
  const parking = detailsOf(
    [
      member('sname', { at: 'stations' }),
      member('pname', { at: 'stations' }),
      member('mvalue', { at: 'values' }),
      member('smetadata.capacity', { at: 'stations', type: 'number' }),
    ],
    ['free'],
  )
  expect(pathsOf(parking, stations, [])).toEqual(['sname', '@free', 'smetadata.capacity'])
  expect(columnsOf(stations, parking).map(({ path }) => path)).not.toContain('mvalue')
})

test('A column requests the members it needs, texts in several languages', () => {
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

test('A text is sorted in the language in which it is read', () => {
  const [, , title] = columnsOf(content, event)
  expect(title === undefined ? '' : sortPathOf(title, 'it')).toBe('Detail.it.Title')
})

test('A record without any usual name is called by its id', () => {
  const bare = columnsOf(content, detailsOf([member('Id'), member('Type')]))
  expect(bare.filter(({ isTitle }) => isTitle).map(({ path }) => path)).toEqual(['Id'])
})

test('Columns are called by words, else by the end of their path', () => {
  const words = {
    title: 'Titel',
    name: 'Name',
    image: 'Bild',
    type: 'Art',
    begin: '',
    end: '',
    municipality: 'Gemeinde',
    place: 'Ort',
    source: '',
    origin: '',
    code: '',
    licence: '',
    active: '',
    changed: '',
    capacity: '',
  }
  const paths = ['AccoDetail.*.Name', 'Type', '@free', 'ContactInfos.*.Address', 'Tags.[*].Id']
  expect(paths.map((path) => labelOf(path, words))).toEqual([
    'Titel',
    'Art',
    'free',
    'ContactInfos › Address',
    'Tags › Id',
  ])
})

test('Columns are found by all words of the search, names that begin so first', () => {
  const all = columnsOf(content, event)
  const found = (search: string) =>
    findColumns(all, search, ({ path }) => path).map((one) => one.path)
  expect(found('ta')).toEqual(['Tags.[*].Id', 'Detail.*.Title'])
  expect(found('tag id')).toEqual(['Tags.[*].Id'])
  expect(found(' ')).toHaveLength(7)
  expect(found('zzz')).toEqual([])
})

test('A column moves by places, and no farther than the ends', () => {
  expect(moveColumn(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b'])
  expect(moveColumn(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c'])
  expect(moveColumn(['a', 'b', 'c'], 'a', 9)).toEqual(['b', 'c', 'a'])
  expect(moveColumn(['a'], 'x', 1)).toEqual(['a'])
})
