import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors/index.ts'
import { entitiesOf } from './entities/index.ts'
import { toNaming } from './naming.ts'
import { refused, understood } from '../../test/fixtures/rawsort-cases.ts'
import { compileRawSort, parseRawSort, printRawSort } from './rawsort.ts'

const naming = toNaming('Hub')
const compile = (text: string) => {
  const [entity] = entitiesOf(naming)
  if (entity === undefined) throw new Error('There is no entity')
  return compileRawSort(parseRawSort(text), { entity, naming })
}

describe('rawsort', () => {
  it.each(understood)('reads $text', ({ text, printed = text }) => {
    expect(printRawSort(parseRawSort(text))).toBe(printed)
  })

  it.each(refused)('refuses $text with position and reason', ({ text, position, expected }) => {
    const error = thrownBy(text)
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({
      code: 'HUB-QRY-006',
      status: 400,
      issues: [{ parameter: 'rawsort', position, expected: expect.arrayContaining([expected]) }],
    })
  })

  it('never puts a name into the SQL text', () => {
    const [key] = compile('-Zq8.Zq8')
    expect(key).toMatchObject({ name: 'rawsort Zq8.Zq8', direction: 'descending', type: 'jsonb' })
    expect(key?.value.text).not.toContain('Zq8')
    expect(key?.value.values).toEqual([['Zq8', 'Zq8']])
  })

  it('reads its own output, and reads or refuses any other text', () => {
    const pieces = fc.constantFrom('A', 'b-c', '.', ',', '-', '[*]', '[]', '[', ' ', '0', 'é', '\0')
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 20 }).map((list) => list.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const error = thrownBy(text)
        if (error !== undefined) {
          expect(error).toBeInstanceOf(AppError)
          return
        }
        const printed = printRawSort(parseRawSort(text))
        expect(printRawSort(parseRawSort(printed))).toBe(printed)
        compile(text)
      }),
      { numRuns: 2_000 },
    )
  })
})

function thrownBy(text: string): unknown {
  try {
    parseRawSort(text)
    return undefined
  } catch (error) {
    return error
  }
}
