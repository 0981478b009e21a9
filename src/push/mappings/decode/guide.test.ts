import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { DecodeStep, checkSteps } from './steps.ts'

const page = new URL('../../../../docs/push-mappings-guide.md', import.meta.url)
const steps = Compile(Type.Array(DecodeStep))

/** Second column of the table of bodies and steps. */
const cells = [...readFileSync(page, 'utf8').matchAll(/^\| .+? \| `(\[.+\])`\s*\|$/gm)].map(
  ([, cell = '']) => cell,
)

const [, reference = ''] = readFileSync(page, 'utf8').split('## Decode steps')

/** Returns the names of steps and options in a schema. */
function namesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'enum' && Array.isArray(value))
      return value.filter((one) => typeof one === 'string')
    const own = key === 'properties' && typeof value === 'object' ? Object.keys(value ?? {}) : []
    return [...own, ...namesIn(value)]
  })
}

/** Types of numbers in a packet. The reference describes them by their sizes, not by name. */
const isNumber = /^u?int\d+[bl]e$/

describe('the reference of decode steps', () => {
  it.each([...new Set(namesIn(DecodeStep))].filter((name) => !isNumber.test(name)))(
    'lists %s',
    (name) => {
      expect(reference).toContain(`\`${name}\``)
    },
  )
})

describe('the steps in the guide', () => {
  it('are found', () => {
    expect(cells.length).toBeGreaterThanOrEqual(9)
  })

  it.each(cells)('%s are valid', (cell) => {
    const value: unknown = parse(cell)
    if (!steps.Check(value)) expect.fail(JSON.stringify(steps.Errors(value)))
    expect(checkSteps(value)).toEqual([])
  })
})
