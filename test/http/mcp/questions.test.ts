import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeOnEngines } from '../../fixtures/databases.ts'
import { openMcpHub } from '../../fixtures/mcp-hub.ts'
import type { McpHub } from '../../fixtures/mcp-hub.ts'
import { loadQuestions, plan, pluck } from '../../fixtures/mcp-planner.ts'
import type { Planned } from '../../fixtures/mcp-planner.ts'

const questions = await loadQuestions()

/** Maximum cost of an answer: for a perfect model, and well below what a model can read. */
const most = { calls: 3, characters: 25_000 }

describeOnEngines('Questions of users', (engine) => {
  let mcp: McpHub
  const costs: Planned[] = []
  beforeAll(async () => {
    mcp = await openMcpHub(engine, 0.2)
  })
  afterAll(async () => {
    report(costs)
    await mcp.close()
  })

  it('number thirty, ten in each language', () => {
    const languages = questions.map(({ language }) => language)
    for (const one of ['de', 'it', 'en']) {
      expect(languages.filter((language) => language === one)).toHaveLength(10)
    }
  })

  it.each(questions.map((one) => [one.question, one] as const))(
    'have the same result as the plain API: %s',
    async (_, one) => {
      const { request, path } = one.expected
      const expected = pluck(await mcp.read(encodeURI(request)), path)
      expect(expected).not.toContain(undefined)
      expect(expected.length).toBeGreaterThan(0)
      const planned = await plan(mcp, one)
      costs.push(planned)
      expect(planned.values.map(toComparable).sort()).toEqual(expected.map(toComparable).sort())
      expect(planned.calls).toBeLessThanOrEqual(most.calls)
      expect(planned.characters).toBeLessThan(most.characters)
    },
  )
})

function report(costs: readonly Planned[]): void {
  const median = (values: readonly number[]) =>
    values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
  const [calls, characters] = [costs.map((one) => one.calls), costs.map((one) => one.characters)]
  console.log(
    `${String(costs.length)} questions: ${String(median(calls))} calls and ${String(median(characters))} characters in the median, at most ${String(Math.max(...calls))} and ${String(Math.max(...characters))}`,
  )
}

/**
 * Rounds numbers. A mean is a sum in arbitrary row order, so its last digits differ between two
 * requests.
 */
function toComparable(value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(12)) : value
}
