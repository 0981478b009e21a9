import { describe, expect, it } from 'vitest'
import { summarise } from './test-summary.ts'

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
  it('counts tests by how they ended', () => {
    const report = reportOf('failed', [
      { title: 'one', status: 'passed' },
      { title: 'two', status: 'failed' },
      { title: 'three', status: 'skipped' },
      { title: 'four', status: 'todo' },
    ])
    expect(summarise(report)).toEqual({ passed: 1, failed: 1, skipped: 2, leftOut: [] })
  })

  it('counts a file that could not be loaded as one failure', () => {
    expect(summarise(reportOf('failed', []))).toMatchObject({ passed: 0, failed: 1, skipped: 0 })
    const crashed = reportOf('failed', [{ title: 'one', status: 'passed' }])
    expect(summarise(crashed)).toMatchObject({ passed: 1, failed: 1, skipped: 0 })
  })

  it('names each suite that was left out once, with its reason', () => {
    const suite = 'storage on PostgreSQL [left out: no initdb found]'
    const report = reportOf('passed', [
      { title: 'one', status: 'skipped', suite },
      { title: 'two', status: 'skipped', suite },
      { title: 'three', status: 'passed', suite: 'elsewhere [left out: but it ran]' },
    ])
    expect(summarise(report)).toEqual({ passed: 1, failed: 0, skipped: 2, leftOut: [suite] })
  })

  it('refuses what is not a report of vitest', () => {
    expect(() => summarise('{"tests":3}')).toThrow('another form')
  })
})
