import { expect, it } from 'vitest'
import type { Member } from '../../api/index.ts'
import {
  comparisonsFor,
  emptyRow,
  withComparison,
  withMember,
  withValues,
  findMembers,
} from './rows.ts'

const member = (path: string, type: Member['type']): Member => ({
  path,
  type,
  description: null,
  isList: path.includes('[*]'),
  canFilter: true,
  canSort: true,
  takesToken: false,
  operators: [],
  at: 'records',
  deprecated: null,
  ...{ part: null, entity: null },
  ...{ label: null, role: null, unit: null, filters: [], column: null },
})

it('starts a row with the most common comparison for the field', () => {
  expect(withMember(emptyRow, member('Title', 'text')).comparison).toBe('is')
  expect(withMember(emptyRow, member('Active', 'boolean'))).toEqual({
    path: 'Active',
    comparison: 'is',
    kind: 'boolean',
    values: ['true'],
  })
  expect(withMember(emptyRow, member('Tags.[*].Id', 'text')).comparison).toBe('oneOf')
  expect(withMember(emptyRow, member('Detail', 'object')).comparison).toBe('there')
})

it('keeps the comparison and the values that still apply when the field changes', () => {
  const row = withValues(
    withComparison(withMember(emptyRow, member('A', 'number')), 'atLeast'),
    ['5'],
    member('A', 'number'),
  )
  expect(withMember(row, member('B', 'number'))).toEqual({ ...row, path: 'B' })
  expect(withMember(row, member('C', 'text'))).toMatchObject({ comparison: 'contains', values: [] })
})

it('infers the kind from the values if the field does not specify it', () => {
  const free = member('smetadata.x', 'json')
  expect(withValues(emptyRow, ['5'], undefined).kind).toBe('number')
  expect(withValues(emptyRow, ['5', 'a'], free).kind).toBe('text')
  expect(withValues(emptyRow, ['5'], member('Zip', 'text')).kind).toBe('text')
})

it('keeps only as many values as the comparison accepts', () => {
  const several = { ...emptyRow, comparison: 'oneOf', values: ['a', 'b'] } as const
  expect(withComparison(several, 'is').values).toEqual(['a'])
  expect(withComparison(several, 'missing').values).toEqual([])
})

it('offers only presence comparisons for objects', () => {
  expect(comparisonsFor(member('Detail', 'object'))).toEqual(['there', 'missing'])
})

const aMember = (path: string, more: Partial<Member> = {}): Member => ({
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

const gone = { since: '2026-01-01', removedAfter: '2027-01-01', description: '', replacement: null }

const members = [
  aMember('Rooms.[*].Penalties.[*].Percent'),
  aMember('Altitude', { type: 'number', deprecated: gone }),
  aMember('GpsInfo.[*].Altitude', { type: 'number' }),
  aMember('GpsInfo.[*].AltitudeUnit'),
  aMember('Id'),
  aMember('LastChange', { description: 'When the penalties changed' }),
  aMember('Detail', { type: 'object' }),
]

const paths = (typed: string) => findMembers(members, typed).map(({ path }) => path)

it('lists an exact name before longer and deeper fields, and deprecated fields last', () => {
  expect(paths('altitude')).toEqual([
    'GpsInfo.[*].Altitude',
    'GpsInfo.[*].AltitudeUnit',
    'Altitude',
  ])
})

it('also finds by part of the path and by the description', () => {
  expect(paths('penalties')).toEqual(['Rooms.[*].Penalties.[*].Percent', 'LastChange'])
})

it('lists plain fields before whole objects without a search', () => {
  const all = paths('')
  expect(all.slice(0, 2)).toEqual(['Id', 'LastChange'])
  expect(all.indexOf('Detail')).toBeGreaterThan(all.indexOf('GpsInfo.[*].Altitude'))
})

it('finds nothing if no name matches', () => {
  expect(paths('zebra')).toEqual([])
})
