import { describe, expect, it } from 'vitest'
import { summarise, withSecondRun } from './test-summary.ts'

type Test = { readonly title: string; readonly status: string; readonly suite?: string }

function reportOf(status: string, tests: readonly Test[]): string {
  const assertionResults = tests.map(({ title, suite, ...test }) => ({
    ...test,
    title,
    ancestorTitles: suite === undefined ? [] : [suite],
  }))
  return JSON.stringify({ testResults: [{ name: 'a.test.ts', status, assertionResults }] })
}

describe('summary of a test run', () => {
  it('counts tests by outcome', () => {
    const report = reportOf('failed', [
      { title: 'one', status: 'passed' },
      { title: 'two', status: 'failed' },
      { title: 'three', status: 'skipped' },
      { title: 'four', status: 'todo' },
    ])
    expect(summarise(report)).toEqual({
      ...{ passed: 1, failed: 1, skipped: 2, leftOut: [], unfinished: [] },
    })
  })

  it('counts a file that did not load or did not finish as one failure, and names it', () => {
    const nothing = { passed: 0, failed: 1, skipped: 0, leftOut: [], unfinished: ['a.test.ts'] }
    expect(summarise(reportOf('failed', []))).toEqual(nothing)
    const crashed = reportOf('failed', [{ title: 'one', status: 'passed' }])
    expect(summarise(crashed)).toEqual(nothing)
  })

  it('uses the outcome of the second run for repeated files, otherwise of the first', () => {
    const counts = { passed: 7, failed: 3, skipped: 1, leftOut: ['x'] }
    const first = { ...counts, unfinished: ['a.test.ts', 'b.test.ts'] }
    const good = { passed: 4, failed: 0, skipped: 0, leftOut: [], unfinished: [] }
    expect(withSecondRun(first, good)).toEqual({
      ...{ passed: 11, failed: 1, skipped: 1, leftOut: ['x'], unfinished: [] },
    })
    const bad = { ...good, failed: 1, unfinished: ['b.test.ts'] }
    expect(withSecondRun(first, bad)).toMatchObject({ failed: 2, unfinished: ['b.test.ts'] })
  })

  it('lists each suite that was left out once, with its reason', () => {
    const suite = 'storage on PostgreSQL [left out: no initdb found]'
    const report = reportOf('passed', [
      { title: 'one', status: 'skipped', suite },
      { title: 'two', status: 'skipped', suite },
      { title: 'three', status: 'passed', suite: 'elsewhere [left out: but it ran]' },
    ])
    expect(summarise(report)).toMatchObject({
      ...{ passed: 1, failed: 0, skipped: 2, leftOut: [suite] },
    })
  })

  it('rejects input that is not a vitest report', () => {
    expect(() => summarise('{"tests":3}')).toThrow('another form')
  })
})
