import { describe, expect, it } from 'vitest'
import { selectTests } from './changed-tests.ts'

const db = (file: string) => ({ project: 'db', file })

describe('tests to run before a push', () => {
  it('include all affected unit tests', () => {
    const affected = Array.from({ length: 99 }, (_, n) => ({
      project: 'unit',
      file: `src/${String(n)}.test.ts`,
    }))
    expect(selectTests(affected, ['src/sql/index.ts']).files).toHaveLength(99)
  })

  it('leave out processes, browsers and the clock, and count what was left out', () => {
    const affected = ['process', 'explorer', 'explorer', 'alone', 'parity'].map((project, n) => ({
      ...{ project, file: `test/${String(n)}.test.ts` },
    }))
    const { files, leftOut } = selectTests(affected, ['src/app.ts'])
    expect(files).toEqual([])
    expect([...leftOut]).toEqual([
      ['process', 1],
      ['explorer', 2],
      ['alone', 1],
      ['parity', 1],
    ])
  })

  it('include the twenty database test files nearest to the change, changed files first', () => {
    const far = Array.from({ length: 30 }, (_, n) => db(`test/http/${String(n)}.test.ts`))
    const near = [db('src/push/queue/b.db.test.ts'), db('src/push/a.db.test.ts')]
    const { files, leftOut } = selectTests(
      [...far, ...near],
      ['src/push/queue/worker.ts', 'test/http/29.test.ts'],
    )
    expect(files.slice(0, 3)).toEqual([
      'test/http/29.test.ts',
      'src/push/queue/b.db.test.ts',
      'src/push/a.db.test.ts',
    ])
    expect(files).toHaveLength(20)
    expect(leftOut.get('db')).toBe(12)
  })
})
