import fc from 'fast-check'
import { applyPatch } from 'rfc6902'
import { describe, expect, it } from 'vitest'
import { beginLanguage, mergeChanges, patchOf, put, valueAt } from './patch.ts'
import type { Operation } from './patch.ts'

const names = fc.constantFrom('Detail', 'de', 'it', 'Title', 'a/b~c', 'List')
const { record } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('', 'x', 1, 0.5, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('record'),
  ),
  record: fc.dictionary(names, tie('value'), { noNullPrototype: true }),
}))

function apply(before: unknown, operations: readonly Operation[]): unknown {
  const copy: unknown = structuredClone(before)
  expect(applyPatch(copy, structuredClone([...operations])).every((one) => one === null)).toBe(true)
  return copy
}

describe('a patch', () => {
  it('transforms the first state into the second', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        expect(apply(a, patchOf(a, b))).toEqual(b)
      }),
    )
  })

  it('adds a missing parent with its value, and replaces only what changed', () => {
    const before = { Detail: { de: { Title: 'Hof' } }, List: [{ a: 1 }, { a: 2 }], Gone: 1 }
    const record = put(put(before, ['Detail', 'it', 'Title'], 'Maso'), ['List', '1', 'a'], 3)
    expect(patchOf(before, put(record, ['Gone'], undefined))).toEqual([
      { op: 'add', path: '/Detail/it', value: { Title: 'Maso' } },
      { op: 'replace', path: '/List/1/a', value: 3 },
      { op: 'remove', path: '/Gone' },
    ])
  })

  it('is empty again when an added value is removed', () => {
    const before = { Detail: { de: { Title: 'Hof', Language: 'de' } } }
    const way = ['Detail', 'it', 'Title']
    const added = put(beginLanguage(before, way), way, 'Maso')
    expect(valueAt(added, ['Detail', 'it'])).toEqual({ Title: 'Maso', Language: 'it' })
    expect(patchOf(before, put(added, way, undefined))).toEqual([])
  })
})

describe('merged changes', () => {
  it('equal the changes of one side if the other side changed nothing', () => {
    fc.assert(
      fc.property(record, record, (base, other) => {
        expect(mergeChanges({ base, mine: other, theirs: base })).toEqual(other)
        expect(mergeChanges({ base, mine: base, theirs: other })).toEqual(other)
      }),
    )
  })

  it('keep both sides, and prefer the own value in a conflict', () => {
    const base = { Detail: { de: 'a', it: 'b', en: 'c' } }
    const mine = { Detail: { de: 'A', it: 'B' } }
    const theirs = { Detail: { de: 'x', it: 'b', en: 'c', fr: 'f' }, Active: true }
    expect(mergeChanges({ base, mine, theirs })).toEqual({
      Detail: { de: 'A', it: 'B', fr: 'f' },
      Active: true,
    })
  })
})
