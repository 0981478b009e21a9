import { expect, it } from 'vitest'
import type { Member } from '../../api/index.ts'
import { findMembers } from './rows.ts'

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

const gone = { since: '2026-01-01', removedAfter: '2027-01-01', description: '', replacement: null }

const members = [
  member('Rooms.[*].Penalties.[*].Percent'),
  member('Altitude', { type: 'number', deprecated: gone }),
  member('GpsInfo.[*].Altitude', { type: 'number' }),
  member('GpsInfo.[*].AltitudeUnit'),
  member('Id'),
  member('LastChange', { description: 'When the penalties changed' }),
  member('Detail', { type: 'object' }),
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
