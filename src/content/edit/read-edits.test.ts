import { expect, it } from 'vitest'
import { cpuMilliseconds } from '../../../test/fixtures/cpu-milliseconds.ts'
import { applyPatch } from './read-edits.ts'

it('applies a patch to a copy, and names what does not apply', () => {
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

it('stops copies that double each other', () => {
  const double = { op: 'copy', from: '/A', path: '/A/-' } as const
  const { record, faults } = applyPatch({ A: ['a'.repeat(100)] }, Array(40).fill(double))
  expect(faults.length).toBeGreaterThan(20)
  expect(JSON.stringify(record).length).toBeLessThan(5_000_000)
})

it('tests nested lists in a time that their size bounds', () => {
  const nested = (leaf: number) =>
    Array.from({ length: 40 }, () => Array.from({ length: 40 }, () => ({ leaf })))
  const test = { op: 'test', path: '/A', value: nested(2) } as const
  const faults = () => applyPatch({ A: nested(1) }, [test]).faults
  expect(faults()).toHaveLength(1)
  expect(cpuMilliseconds(faults)).toBeLessThan(100)
})
