import { expect, it } from 'vitest'
import { patchOf } from '../../api/patch.ts'
import { withChange } from './change-records.ts'

const record = { Active: true, Detail: { de: { Title: 'Hof' } }, TagIds: ['hotel'] }

it.each([
  [
    { how: 'set', way: ['Active'], value: false },
    [{ op: 'replace', path: '/Active', value: false }],
  ],
  [
    { how: 'set', way: ['Detail', 'it', 'Title'], value: 'Maso' },
    [{ op: 'add', path: '/Detail/it', value: { Title: 'Maso' } }],
  ],
  [
    { how: 'add', way: ['TagIds'], value: 'summer' },
    [{ op: 'replace', path: '/TagIds', value: ['hotel', 'summer'] }],
  ],
  [{ how: 'add', way: ['TagIds'], value: 'hotel' }, []],
  [{ how: 'add', way: ['BadgeIds'], value: 'a' }, [{ op: 'add', path: '/BadgeIds', value: ['a'] }]],
] as const)('turns a change of several records into a patch of each: %j', (change, operations) => {
  expect(patchOf(record, withChange(record, change))).toEqual(operations)
})
