import fc from 'fast-check'
import { applyPatch } from 'rfc6902'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { expect, it } from 'vitest'
import { cpuMilliseconds } from '../../../test/fixtures/cpu-milliseconds.ts'
import { differenceOf, withoutReturned } from './difference.ts'

it('keeps the generated fields that the editor has changed, except those in lists', () => {
  const present = {
    _Meta: { Generated: ['LocationInfo', 'SmgActive', 'Tags', 'EventDate.DayRID'] },
    LocationInfo: { AreaInfo: { Id: 'a' } },
    SmgActive: true,
    Tags: [{ Id: 'x' }],
    EventDate: [{ EventDateId: 'd', DayRID: 'd' }],
  }
  const sent = {
    LocationInfo: { AreaInfo: { Id: 'a' }, RegionInfo: { Id: 'r' } },
    SmgActive: true,
    Tags: [{ Id: 'y' }],
    EventDate: [{ EventDateId: 'd', DayRID: 'd' }, { EventDateId: 'e' }],
  }
  const { LocationInfo, Tags } = sent
  expect(withoutReturned(sent, present)).toEqual({
    ...{ LocationInfo, Tags },
    EventDate: [{ EventDateId: 'd' }, { EventDateId: 'e' }],
  })
})

it('lists all changes, except those that every save makes', () => {
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

it('replaces a long list as a whole, and only if it differs', () => {
  const list = Array.from({ length: 5000 }, (_, index) => ({ index }))
  const changed = list.map(({ index }) => ({ index: index + 0.5 }))
  const [operation, ...more] = differenceOf({ A: list, B: list }, { A: changed, B: [...list] })
  expect(more).toEqual([])
  expect(operation).toEqual({ op: 'replace', path: '/A', value: changed })
  const texts = list.map(({ index }) => `${'x'.repeat(200)}${String(index)}`)
  expect(differenceOf({ A: texts, B: texts }, { A: [...texts], B: [...texts] })).toEqual([])
})

it('produces a patch from the old state to the new one', () => {
  const before = { Id: 'a', Tags: [{ Id: 'x' }, { Id: 'y' }], 'a/b~c': null }
  const after = { Id: 'a', Tags: [{ Id: 'y' }, { Id: 'z', Name: 'Z' }], 'a/b~c': [1] }
  const copy = structuredClone(before)
  expect(applyPatch(copy, [...differenceOf(before, after)])).toEqual(expect.arrayContaining([null]))
  expect(copy).toEqual(after)
})

it('adds and removes list elements in place, and changes those that remain', () => {
  const before = { A: ['a', 'b', { c: 1, d: 2 }, 'e'], B: [1] }
  const after = { A: ['b', { c: 1, d: 3 }, 'e', 'f'], B: [1, [2]] }
  expect(differenceOf(before, after)).toEqual([
    { op: 'remove', path: '/A/0' },
    { op: 'replace', path: '/A/1/d', value: 3 },
    { op: 'add', path: '/A/3', value: 'f' },
    { op: 'add', path: '/B/1', value: [2] },
  ])
})

it('compares nested lists in bounded time', () => {
  for (const [length, levels] of [
    [40, 2],
    [12, 3],
    [6, 4],
    [2, 10],
  ] as const) {
    const nested = (level: number, leaf: number): unknown =>
      Array.from({ length }, (_, index) =>
        level === 1 ? leaf + index : { Nested: nested(level - 1, leaf + index) },
      )
    const before = { A: nested(levels, 0) }
    const after = { A: nested(levels, 100_000) }
    expect([levels, millisecondsOf(before, after) < longest]).toEqual([levels, true])
    expect(applied(before, after)).toEqual(after)
  }
})

it('compares a list of one megabyte without delaying other requests for long', () => {
  const list = (first: number) =>
    Array.from({ length: 20_000 }, (_, index) => ({ v: first + index, t: 'x'.repeat(30) }))
  const [before, after] = [{ A: list(0) }, { A: list(1_000_000) }]
  expect(millisecondsOf(before, after)).toBeLessThan(2 * longest)
  expect(differenceOf(before, after)).toMatchObject([{ op: 'replace', path: '/A' }])
})

it('produces a patch between any two states, in time bounded by their size', () => {
  const { value: nested } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom(null, true, 0, 1, 2, 'a', 'b', ''),
      fc.array(tie('value'), { maxLength: 30 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c~/d'), tie('value'), { noNullPrototype: true }),
    ),
  }))
  const record = fc.dictionary(fc.constantFrom('A', 'B', 'C'), nested, { noNullPrototype: true })
  fc.assert(
    fc.property(record, record, (one, other) => {
      const [before, after] = [Parse(members, ordered(one)), Parse(members, ordered(other))]
      const size = JSON.stringify([before, after]).length
      expect(millisecondsOf(before, after)).toBeLessThan(longest + size / 1000)
      expect(applied(before, after)).toEqual(after)
      expect(differenceOf(before, structuredClone(before))).toEqual([])
    }),
    { numRuns: 300 },
  )
})

/** Milliseconds that a comparison may take, with a margin for other load on the machine. */
const longest = 20

const members = Type.Record(Type.String(), Type.Unknown())

type Members = Readonly<Record<string, unknown>>

function millisecondsOf(before: Members, after: Members): number {
  return cpuMilliseconds(() => differenceOf(before, after))
}

function applied(before: Members, after: Members): unknown {
  const copy = structuredClone(before)
  const faults = applyPatch(copy, structuredClone([...differenceOf(before, after)]))
  expect(faults.filter((fault) => fault !== null)).toEqual([])
  return copy
}

/** Returns the value with its fields in a fixed order, as the database returns them. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, member]) => [name, ordered(member)]))
}
