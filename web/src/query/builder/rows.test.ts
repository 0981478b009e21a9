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

it('begins a row with what people ask most of such a member', () => {
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

it('keeps what still makes sense when the member changes', () => {
  const row = withValues(
    withComparison(withMember(emptyRow, member('A', 'number')), 'atLeast'),
    ['5'],
    member('A', 'number'),
  )
  expect(withMember(row, member('B', 'number'))).toEqual({ ...row, path: 'B' })
  expect(withMember(row, member('C', 'text'))).toMatchObject({ comparison: 'contains', values: [] })
})

it('takes from the values what they are where the member says nothing', () => {
  const free = member('smetadata.x', 'json')
  expect(withValues(emptyRow, ['5'], undefined).kind).toBe('number')
  expect(withValues(emptyRow, ['5', 'a'], free).kind).toBe('text')
  expect(withValues(emptyRow, ['5'], member('Zip', 'text')).kind).toBe('text')
})

it('keeps one value of several where only one is taken, and none where none is', () => {
  const several = { ...emptyRow, comparison: 'oneOf', values: ['a', 'b'] } as const
  expect(withComparison(several, 'is').values).toEqual(['a'])
  expect(withComparison(several, 'missing').values).toEqual([])
})

it('offers of objects only whether they are there', () => {
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

it('finds the member that is called so before longer and deeper ones, and deprecated ones last', () => {
  expect(paths('altitude')).toEqual([
    'GpsInfo.[*].Altitude',
    'GpsInfo.[*].AltitudeUnit',
    'Altitude',
  ])
})

it('finds by a part of the way and by the description, too', () => {
  expect(paths('penalties')).toEqual(['Rooms.[*].Penalties.[*].Percent', 'LastChange'])
})

it('offers plain members before whole objects where nothing is typed', () => {
  const all = paths('')
  expect(all.slice(0, 2)).toEqual(['Id', 'LastChange'])
  expect(all.indexOf('Detail')).toBeGreaterThan(all.indexOf('GpsInfo.[*].Altitude'))
})

it('finds nothing where nothing is called so', () => {
  expect(paths('zebra')).toEqual([])
})
