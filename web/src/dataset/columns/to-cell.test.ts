import { expect, test } from 'vitest'
import type { Column } from './column.ts'
import { latestKey, toCell } from './to-cell.ts'
import type { Item } from './to-cell.ts'

const plain: Column = {
  path: 'A',
  kind: 'any',
  isList: false,
  description: null,
  deprecated: null,
  takesToken: false,
  canSort: true,
  isTitle: false,
  ...{ label: null, unit: null, place: null },
}
const title: Column = { ...plain, path: 'Detail.*.Title', kind: 'text' }
const cellOf = (item: Item, column: Partial<Column> = {}) =>
  toCell(item, { ...plain, ...column }, ['de', 'en'])

test('A missing, null or empty value shows nothing', () => {
  for (const item of [{}, { A: null }, { A: '' }, { A: [] }, { A: {} }]) {
    expect(cellOf(item)).toEqual({ kind: 'nothing' })
  }
})

test('Zero and false are values', () => {
  expect(cellOf({ A: 0 })).toEqual({ kind: 'number', value: 0 })
  expect(cellOf({ A: false })).toEqual({ kind: 'boolean', value: false })
})

test('A text is shown in the requested language, or marked with its language', () => {
  const both = { 'Detail.de.Title': 'See', 'Detail.en.Title': 'Lake' }
  expect(toCell(both, title, ['de', 'en'])).toEqual({ kind: 'text', text: 'See' })
  expect(
    toCell({ 'Detail.de.Title': null, 'Detail.en.Title': 'Lake' }, title, ['de', 'en']),
  ).toEqual({ kind: 'text', text: 'Lake', lang: 'en' })
})

test('An object whose keys are languages is a text', () => {
  expect(cellOf({ A: { en: 'Lake', de: 'See' } })).toEqual({ kind: 'text', text: 'See' })
  expect(cellOf({ A: { it: 'Lago' } })).toEqual({ kind: 'text', text: 'Lago', lang: 'it' })
  expect(cellOf({ A: { Name: 'x' } })).toEqual({ kind: 'json', text: '{"Name":"x"}' })
})

test('HTML is removed from texts', () => {
  expect(cellOf({ A: '<p>Fish &amp; chips</p><br>' })).toEqual({
    kind: 'text',
    text: 'Fish & chips',
  })
})

test('A time is recognized as a day or a time, with or without a zone', () => {
  expect(cellOf({ A: '2026-11-22T00:00:00' }, { kind: 'time' })).toMatchObject({
    kind: 'time',
    hasTime: false,
    isLocal: true,
  })
  expect(cellOf({ A: '2026-11-22 09:07:00.000+0000' }, { kind: 'time' })).toMatchObject({
    kind: 'time',
    at: new Date('2026-11-22T09:07:00Z'),
    hasTime: true,
    isLocal: false,
  })
  expect(cellOf({ A: '2026-11-22' }, { kind: 'time' })).toMatchObject({
    at: new Date(2026, 10, 22),
    written: '2026-11-22',
  })
  const list = cellOf({ A: ['2026-11-22T00:00:00', '2026-12-24T20:00:00'] }, { kind: 'time' })
  expect(list).toMatchObject({
    kind: 'list',
    cells: [
      { kind: 'time', at: new Date(2026, 10, 22), hasTime: false },
      { kind: 'time', at: new Date(2026, 11, 24, 20), hasTime: true },
    ],
  })
  expect(cellOf({ A: 'soon' }, { kind: 'time' })).toEqual({ kind: 'text', text: 'soon' })
})

test('Web URLs are links or pictures, and other URLs are texts', () => {
  expect(cellOf({ A: 'https://www.example.org/a' })).toEqual({
    kind: 'link',
    href: 'https://www.example.org/a',
    text: 'example.org/a',
  })
  expect(cellOf({ A: 'https://example.org/a.jpg' }, { kind: 'image' }).kind).toBe('image')
  expect(cellOf({ A: 'https://www.x.example|y' }).kind).toBe('text')
  expect(cellOf({ A: 'javascript:alert(1)' }).kind).toBe('text')
  expect(cellOf({ A: 'javascript:alert(1)' }, { kind: 'image' }).kind).toBe('text')
})

test('Coordinates of records and of stations are places', () => {
  const place = { kind: 'place', latitude: 46.5, longitude: 11.3 }
  expect(cellOf({ A: { Latitude: 46.5, Longitude: 11.3 } })).toEqual(place)
  expect(cellOf({ A: { x: 11.3, y: 46.5, srid: 4326 } })).toEqual(place)
  expect(cellOf({ A: { x: null, y: null } }).kind).toBe('json')
})

test('A list shows each value once, and a list of one shows only that value', () => {
  expect(cellOf({ A: ['a', null, 'b', 'a'] })).toEqual({
    kind: 'list',
    cells: [
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
    ],
  })
  expect(cellOf({ A: ['a'] })).toEqual({ kind: 'text', text: 'a' })
})

test('The latest value of a data type has its unit and time', () => {
  const at = '2026-11-22T09:00:00.000+0000'
  const item = { [latestKey]: { free: { value: 3, unit: 'places', at, isOld: true }, none: {} } }
  expect(cellOf(item, { path: '@free' })).toEqual({
    kind: 'value',
    value: 3,
    unit: 'places',
    at,
    isOld: true,
  })
  expect(cellOf(item, { path: '@none' })).toEqual({ kind: 'nothing' })
  expect(cellOf({}, { path: '@free' })).toEqual({ kind: 'nothing' })
})
