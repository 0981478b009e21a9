import { Type } from 'typebox'
import { Check } from 'typebox/value'

/** What of vitest's JSON report is read here. */
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
  /** Titles of the suites that were left out for want of something, each with its reason. */
  readonly leftOut: readonly string[]
}

const reason = /\[left out: [^\]]+\]/

/**
 * Counts a vitest report. A file that could not be loaded has no tests and counts as one failure.
 * @throws when the text is not such a report
 */
export function summarise(json: string): TestSummary {
  const parsed: unknown = JSON.parse(json)
  if (!Check(report, parsed)) throw new Error('vitest wrote a report of another form')
  const files = parsed.testResults
  const tests = files.flatMap(({ assertionResults }) => assertionResults)
  const unloadable = files.filter((file) => file.status === 'failed' && !hasFailure(file))
  const failed = tests.filter(({ status }) => status === 'failed').length + unloadable.length
  const passed = tests.filter(({ status }) => status === 'passed').length
  const titles = tests
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ ancestorTitles, title }) =>
      [...ancestorTitles, title].find((part) => reason.test(part)),
    )
  return {
    passed,
    failed,
    skipped: tests.length + unloadable.length - passed - failed,
    leftOut: [...new Set(titles.filter((title) => title !== undefined))],
  }
}

function hasFailure(file: { readonly assertionResults: readonly { readonly status: string }[] }) {
  return file.assertionResults.some(({ status }) => status === 'failed')
}
