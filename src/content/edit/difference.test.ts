import { applyPatch } from 'rfc6902'
import { expect, it } from 'vitest'
import { differenceOf } from './difference.ts'

it('says what changed, and nothing of what every save changes', () => {
  const before = { Id: 'a', LastChange: '1', _Meta: { LastUpdate: '1' }, Detail: { de: 'x' } }
  const after = {
    Id: 'a',
    LastChange: '2',
    _Meta: { LastUpdate: '2' },
    Detail: { de: 'y' },
    New: 1,
  }
  expect(differenceOf(before, after)).toEqual([
    { op: 'add', path: '/New', value: 1 },
    { op: 'replace', path: '/Detail/de', value: 'y' },
  ])
  expect(differenceOf(before, { ...before, LastChange: '3', HasLanguage: ['de'] })).toEqual([])
})

it('replaces long lists as a whole, and only where they differ', () => {
  const list = Array.from({ length: 5000 }, (_, index) => ({ index }))
  const changed = list.toSpliced(2500, 1)
  const [operation, ...more] = differenceOf({ A: list, B: list }, { A: changed, B: [...list] })
  expect(more).toEqual([])
  expect(operation).toEqual({ op: 'replace', path: '/A', value: changed })
})

it('makes the new state when it is applied to the old one', () => {
  const before = { Id: 'a', Tags: [{ Id: 'x' }, { Id: 'y' }], 'a/b~c': null }
  const after = { Id: 'a', Tags: [{ Id: 'y' }, { Id: 'z', Name: 'Z' }], 'a/b~c': [1] }
  const copy = structuredClone(before)
  expect(applyPatch(copy, [...differenceOf(before, after)])).toEqual(expect.arrayContaining([null]))
  expect(copy).toEqual(after)
})
