import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Check } from 'typebox/value'

/** The part of vitest's JSON report that is used here. */
const report = Type.Object({
  testResults: Type.Array(
    Type.Object({
      name: Type.String(),
      status: Type.String(),
      assertionResults: Type.Array(
        Type.Object({
          ancestorTitles: Type.Array(Type.String()),
          title: Type.String(),
          status: Type.String(),
        }),
      ),
    }),
  ),
})

export type TestSummary = {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /**
   * Titles of the suites that were left out because something is not installed, each with its
   * reason.
   */
  readonly leftOut: readonly string[]
  /** Files that failed although none of their tests failed. Each counts as one failure. */
  readonly unfinished: readonly string[]
}

const reason = /\[left out: [^\]]+\]/

/**
 * Counts the results of a vitest report. A file that could not be loaded, or whose process died,
 * counts as one failure, and none of its tests counts as passed.
 * @throws if the text is not such a report
 */
export function summarise(json: string): TestSummary {
  const parsed: unknown = JSON.parse(json)
  if (!Check(report, parsed)) throw new Error('vitest wrote a report of another form')
  const files = parsed.testResults
  const isUnfinished = (file: File) => file.status === 'failed' && !hasFailure(file)
  const unfinished = files.filter(isUnfinished).map(({ name }) => name)
  const tests = files.flatMap((file) => (isUnfinished(file) ? [] : file.assertionResults))
  const failed = tests.filter(({ status }) => status === 'failed').length + unfinished.length
  const passed = tests.filter(({ status }) => status === 'passed').length
  const titles = tests
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ ancestorTitles, title }) =>
      [...ancestorTitles, title].find((part) => reason.test(part)),
    )
  return {
    passed,
    failed,
    skipped: tests.length + unfinished.length - passed - failed,
    leftOut: [...new Set(titles.filter((title) => title !== undefined))],
    unfinished,
  }
}

/** Combines a run with a second run of its unfinished files, for which the second result counts. */
export function withSecondRun(first: TestSummary, second: TestSummary): TestSummary {
  return {
    passed: first.passed + second.passed,
    failed: first.failed - first.unfinished.length + second.failed,
    skipped: first.skipped + second.skipped,
    leftOut: [...new Set([...first.leftOut, ...second.leftOut])],
    unfinished: second.unfinished,
  }
}

type File = Static<typeof report>['testResults'][number]

function hasFailure({ assertionResults }: File): boolean {
  return assertionResults.some(({ status }) => status === 'failed')
}
