import { expect, it } from 'vitest'
import { cpuMilliseconds } from '../../../test/fixtures/cpu-milliseconds.ts'
import { AppError } from '../../errors/index.ts'
import { accommodation } from '../entities/accommodation.ts'
import { entitiesOf } from '../entities/index.ts'
import { toNaming } from '../naming.ts'
import { applyPatch, readChange, readCreations } from './read-edits.ts'

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

const entity = accommodation(toNaming('Hub'))
const contentType = 'application/json'

it('suggests the media type of a patch if an array is sent as a record', () => {
  const body = [{ op: 'remove', path: '/A' }]
  const { hint } = failureOf(() => readChange({ entity, body, contentType }, 'a'))
  expect(hint).toContain('application/json-patch+json')
})

it('refuses a record that spells Id differently, rather than generating a new Id', () => {
  const body = [{ Id: 'a', id: 7 }, { id: 'low' }]
  const [, refused] = readCreations({ entity, body, contentType })
  expect(refused).toMatchObject({ refusal: { issues: [{ pointer: '/id', expected: ['Id'] }] } })
  const { issues } = failureOf(() => readCreations({ entity, body: body[1], contentType }))
  expect(issues).toMatchObject([{ pointer: '/id', expected: ['Id'] }])
})

it('points to the key of a source, also within a batch of one', () => {
  const source = entitiesOf(toNaming('Hub')).find(({ name }) => name === 'Source')
  if (source === undefined) throw new Error('There is no entity Source')
  const pointersOf = (body: unknown) =>
    failureOf(() => readCreations({ entity: source, body, contentType })).issues.map(
      ({ pointer }) => pointer,
    )
  const long = { Key: 'k'.repeat(1000) }
  expect([pointersOf(long), pointersOf([long])]).toEqual([['/Key'], ['/0/Key']])
})

function failureOf(run: () => unknown): AppError {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return error
  }
  throw new Error('nothing was thrown')
}

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
