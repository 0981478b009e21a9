import fc from 'fast-check'
import type { Operation } from 'rfc6902'
import { expect, it } from 'vitest'
import { cpuMilliseconds } from '../../../test/fixtures/cpu-milliseconds.ts'
import { namesIn } from '../../lang/json.ts'
import { applyPatch } from './apply-patch.ts'

it('applies a patch to a copy, and reports operations that fail', () => {
  const data = { A: [1, 2], B: { C: 'c' } }
  const { record, faults } = applyPatch(data, [
    { op: 'test', path: '/B', value: { C: 'c' } },
    { op: 'copy', from: '/A', path: '/B/D' },
    { op: 'test', path: '/A', value: [1] },
    { op: 'test', path: '/None', value: null },
    { op: 'remove', path: '/None' },
    { op: 'copy', from: '/None', path: '/E' },
  ])
  expect(record).toEqual({ A: [1, 2], B: { C: 'c', D: [1, 2] } })
  expect(faults.map(({ pointer }) => pointer)).toEqual(['/2', '/3', '/4', '/5'])
  expect(data).toEqual({ A: [1, 2], B: { C: 'c' } })
})

it('refuses names that the patch library would skip and so write elsewhere', () => {
  const { record, faults } = applyPatch({ Active: true, constructor: 1 }, [
    { op: 'add', path: '/__proto__/polluted', value: 1 },
    { op: 'remove', path: '/prototype/Active' },
    { op: 'test', path: '/constructor', value: 2 },
    { op: 'copy', from: '/constructor', path: '/B' },
  ])
  expect(record).toEqual({ Active: true, constructor: 1 })
  expect(faults.map(({ pointer }) => pointer)).toEqual(['/0', '/1', '/2', '/3'])
  expect(faults[0]?.detail).toBe('a patch cannot reach a field with the name __proto__')
})

it('replaces a whole record only by another record', () => {
  const { record, faults } = applyPatch({ A: 1 }, [
    { op: 'replace', path: '', value: { B: 1 } },
    { op: 'add', path: '/C', value: 2 },
    { op: 'replace', path: '', value: 7 },
    { op: 'remove', path: '' },
    { op: 'copy', from: '/C', path: '' },
  ])
  expect(record).toEqual({ B: 1, C: 2 })
  expect(faults.map(({ pointer }) => pointer)).toEqual(['/2', '/3', '/4'])
})

it('stops copies that double the record each time', () => {
  const double = { op: 'copy', from: '/A', path: '/A/-' } as const
  const { record, faults } = applyPatch({ A: ['a'.repeat(100)] }, Array(40).fill(double))
  expect(faults.length).toBeGreaterThan(20)
  expect(JSON.stringify(record).length).toBeLessThan(5_000_000)
})

it('tests nested lists in bounded time', () => {
  const nested = (leaf: number) =>
    Array.from({ length: 40 }, () => Array.from({ length: 40 }, () => ({ leaf })))
  const test = { op: 'test', path: '/A', value: nested(2) } as const
  const faults = () => applyPatch({ A: nested(1) }, [test]).faults
  expect(faults()).toHaveLength(1)
  expect(cpuMilliseconds(faults)).toBeLessThan(100)
})

const tags = { Name: 'One', Tags: ['a', 'b', 'c'], L: [{ n: 0 }, { n: 1 }, { n: 2 }], None: null }

it.each<Operation>([
  { op: 'replace', path: '/Name/0', value: 'x' },
  { op: 'replace', path: '/Name/length', value: 0 },
  { op: 'add', path: '/Name/foo', value: 1 },
  { op: 'add', path: '/None/foo', value: 1 },
  { op: 'remove', path: '/Name/length' },
  { op: 'replace', path: '/Tags/map', value: 0 },
  { op: 'add', path: '/L/0/n/x', value: 1 },
  { op: 'add', path: '/L/-/n', value: 1 },
  { op: 'remove', path: '/L/length' },
  { op: 'remove', path: '/L/-' },
  { op: 'replace', path: '/Tags/length', value: 0 },
  ...['-', '-1', 'x', '1e0', '01', '3', ''].map((name) => ({
    ...{ op: 'replace' as const, path: `/L/${name}`, value: 0 },
  })),
  ...['01', '4', '99', 'abc', 'length', '-1'].flatMap((name) => [
    { op: 'copy' as const, from: '/Name', path: `/Tags/${name}` },
    { op: 'move' as const, from: '/Name', path: `/Tags/${name}` },
    { op: 'add' as const, path: `/Tags/${name}`, value: 'x' },
  ]),
  { op: 'move', from: '/L/0', path: '/L/3' },
  { op: 'move', from: '/L/0', path: '/L/0/Inner' },
  { op: 'move', from: '', path: '/All' },
  { op: 'move', from: '/L/-', path: '/B' },
  { op: 'copy', from: '/Tags/length', path: '/B' },
  { op: 'copy', from: '/toString', path: '/B' },
  { op: 'remove', path: '/toString' },
  { op: 'test', path: '/Tags/length', value: 3 },
])('refuses %j, whose path leads nowhere', (operation) => {
  const { record, faults } = applyPatch(tags, [operation])
  expect([record, faults]).toEqual([tags, [{ pointer: '/0', detail: expect.any(String) }]])
})

it('moves a value to where the path leads once the value is removed', () => {
  const moved = (from: string, path: string) => applyPatch(tags, [{ op: 'move', from, path }])
  expect(moved('/L/0', '/L/1/Inner').record['L']).toEqual([{ n: 1 }, { n: 2, Inner: { n: 0 } }])
  expect(moved('/L/0', '/L/2').record['L']).toEqual([{ n: 1 }, { n: 2 }, { n: 0 }])
  expect(moved('/L/0', '/L/-').record['L']).toEqual([{ n: 1 }, { n: 2 }, { n: 0 }])
  expect(moved('/L/0', '/L/0')).toEqual({ record: tags, faults: [] })
})

it('applies the same operations with the same result as RFC 6902 read literally', () => {
  const name = fc.constantFrom('a', 'b', '0', '1', '2', '-', '01', 'length', 'toString', '~1')
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`)
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, 0, 'text'),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', '0', '-', '/'), tie('node')),
    ),
  }))
  const record = fc.dictionary(fc.constantFrom('a', 'b', '0', '/'), node, { noNullPrototype: true })
  const operation = fc.oneof(
    fc.record({ op: fc.constantFrom('add' as const, 'replace' as const), path, value: node }),
    fc.record({ op: fc.constant('remove' as const), path }),
    fc.record({ op: fc.constantFrom('move' as const, 'copy' as const), path, from: path }),
  )
  fc.assert(
    fc.property(record, operation, (data, one) => {
      const expected = literally(data, one)
      const { record: actual, faults } = applyPatch(data, [one])
      expect([faults.length === 0, actual]).toEqual([expected !== undefined, expected ?? data])
    }),
    { numRuns: 500 },
  )
})

/** Applies an operation as RFC 6902 describes it. Returns undefined if it does not apply. */
function literally(data: unknown, operation: Operation): unknown {
  const names = namesIn(operation.path)
  if (operation.op === 'add') return added(data, names, operation.value)
  if (operation.op === 'remove') return without(data, names)
  if (operation.op === 'copy') return added(data, names, found(data, namesIn(operation.from)))
  if (operation.op === 'move') {
    if (operation.path.startsWith(`${operation.from}/`)) return undefined
    const from = namesIn(operation.from)
    return added(without(data, from), names, found(data, from))
  }
  return operation.op === 'replace' ? added(without(data, names), names, operation.value) : data
}

function found(data: unknown, [name, ...names]: readonly string[]): unknown {
  if (name === undefined) return data
  return found(entriesOf(data).find(([key]) => key === name)?.[1], names)
}

function without(data: unknown, [name = '', ...names]: readonly string[]): unknown {
  const entries = entriesOf(data)
  if (!entries.some(([key]) => key === name)) return undefined
  if (names.length > 0) return changedAt(data, name, (value) => without(value, names))
  return like(
    data,
    entries.filter(([key]) => key !== name),
  )
}

function added(data: unknown, [name = '', ...names]: readonly string[], value: unknown): unknown {
  if (value === undefined) return undefined
  if (names.length > 0) return changedAt(data, name, (inner) => added(inner, names, value))
  const entries = entriesOf(data)
  if (!Array.isArray(data)) return isFields(data) ? { ...data, [name]: value } : undefined
  const place =
    name === '-' ? entries.length : [...entries.keys(), entries.length].map(String).indexOf(name)
  return place < 0 ? undefined : data.toSpliced(place, 0, value)
}

function changedAt(data: unknown, name: string, change: (value: unknown) => unknown): unknown {
  const entries = entriesOf(data)
  const changed = change(entries.find(([key]) => key === name)?.[1])
  if (changed === undefined) return undefined
  return like(
    data,
    entries.map(([key, value]) => [key, key === name ? changed : value]),
  )
}

type Entries = readonly (readonly [string, unknown])[]

function like(data: unknown, entries: Entries): unknown {
  return Array.isArray(data) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

const isFields = (data: unknown) => typeof data === 'object' && data !== null

function entriesOf(data: unknown): Entries {
  return isFields(data) ? Object.entries(Object(data)) : []
}
