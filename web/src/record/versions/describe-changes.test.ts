import { expect, it } from 'vitest'
import { describeChanges, readVersions } from './describe-changes.ts'

const before = {
  Active: true,
  LastChange: 'then',
  Detail: { de: { Title: 'Alt', BaseText: 'Text' } },
  GpsInfo: [{ Latitude: 46 }],
  'a/b': 1,
}

it('shows the old and the new value', () => {
  const operations = [
    { op: 'replace', path: '/Detail/de/Title', value: 'Neu' },
    { op: 'replace', path: '/GpsInfo/0/Latitude', value: 47 },
    { op: 'replace', path: '/a~1b', value: 2 },
  ]
  expect(describeChanges(operations, before)).toEqual([
    { kind: 'changed', way: ['Detail', 'de', 'Title'], before: 'Alt', after: 'Neu' },
    { kind: 'changed', way: ['GpsInfo', '#1', 'Latitude'], before: '46', after: '47' },
    { kind: 'changed', way: ['a/b'], before: '1', after: '2' },
  ])
})

it('shows added and removed values field by field', () => {
  const operations = [
    { op: 'add', path: '/Detail/it', value: { Title: 'Nuovo', Language: 'it' } },
    { op: 'remove', path: '/Detail/de' },
    { op: 'add', path: '/GpsInfo/-', value: { Latitude: 1 } },
  ]
  expect(describeChanges(operations, before)).toEqual([
    { kind: 'added', way: ['Detail', 'it', 'Title'], after: 'Nuovo' },
    { kind: 'added', way: ['Detail', 'it', 'Language'], after: 'it' },
    { kind: 'removed', way: ['Detail', 'de', 'Title'], before: 'Alt' },
    { kind: 'removed', way: ['Detail', 'de', 'BaseText'], before: 'Text' },
    { kind: 'added', way: ['GpsInfo', '#', 'Latitude'], after: '1' },
  ])
})

it('compares whole objects field by field', () => {
  const value = { de: { Title: 'Alt', BaseText: 'Anders' } }
  expect(describeChanges([{ op: 'replace', path: '/Detail', value }], before)).toEqual([
    { kind: 'changed', way: ['Detail', 'de', 'BaseText'], before: 'Text', after: 'Anders' },
  ])
})

it('ignores fields that change with every write, and unreadable operations', () => {
  const operations = [
    { op: 'replace', path: '/LastChange', value: 'now' },
    { op: 'replace', path: '/_Meta/LastUpdate', value: 'now' },
    { op: 'test', path: '/Active', value: true },
    null,
    'x',
    {},
  ]
  expect(describeChanges(operations, before)).toEqual([])
  expect(describeChanges(undefined, before)).toEqual([])
})

it('shows the target of a move', () => {
  const operations = [{ op: 'move', from: '/Active', path: '/HubActive' }]
  expect(describeChanges(operations, before)).toEqual([
    { kind: 'added', way: ['HubActive'], after: 'true' },
  ])
})

it('lists versions, newest first, with no changes for the first', () => {
  const Items = [
    { Revision: 1, LastUpdate: 'a', Changes: null, UpdatedBy: null, Source: 'lts' },
    { Revision: 2, Changes: [] },
    {},
  ]
  expect(readVersions({ Items })).toEqual([
    { revision: 2, operations: [] },
    { revision: 1, at: 'a', source: 'lts' },
  ])
  expect(readVersions(null)).toEqual([])
})
