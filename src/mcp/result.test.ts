import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fit, maxCharacters, printResult, shortest } from './result.ts'

const records = fc.array(
  fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.string({ maxLength: 5000 }))),
  { maxLength: 50 },
)

describe('The content of a result', () => {
  it('has at least one item and is never too long, for any items', () => {
    fc.assert(
      fc.property(records, (items) => {
        const kept = fit(items)
        expect(JSON.stringify(kept).length).toBeLessThan(maxCharacters)
        expect(kept.length > 0).toBe(items.length > 0)
        expect(kept.length).toBeLessThanOrEqual(items.length)
      }),
    )
  })

  it('is complete if it is short', () => {
    const items = [{ Id: 'a' }, { Id: 'b', Tags: ['x'], Place: null }]
    expect(fit(items)).toEqual(items)
  })

  it('is limited to the first items if there are too many', () => {
    const items = Array.from({ length: 50 }, (_, index) => ({ index, text: 'x'.repeat(480) }))
    const kept = fit(items)
    expect(kept).toEqual(items.slice(0, kept.length))
    expect(kept.length).toBeGreaterThan(20)
    expect(kept.length).toBeLessThan(50)
  })

  it('is marked where it is cut', () => {
    const item = { text: 'x'.repeat(600), list: Array.from({ length: 40 }, (_, index) => index) }
    const text = JSON.stringify(fit([item]))
    expect(text).toContain('[100 more characters: read_record, with from]')
    expect(text).toContain('[10 more: read_record]')
  })

  it('has as many fields as fit of a record with very many', () => {
    const names = Array.from({ length: 5000 }, (_, index) => `field${String(index)}`)
    const item = Object.fromEntries(names.map((name) => [name, name]))
    const short = shortest(item, 2000)
    expect(JSON.stringify(short).length).toBeLessThanOrEqual(2000)
    expect(short).toMatchObject({ field0: 'field0', '…': expect.stringContaining('more fields') })
  })
})

it.each([
  [undefined, true],
  [0, true],
  [160, false],
])('A result without items and with the total %s says that nothing matches: %s', (total, says) => {
  const answer = { request: 'http://hub.test/v1/Event', withheld: undefined, ignored: undefined }
  const text = printResult({ answer, total, data: { items: [] } })
  expect(text.includes('Nothing matches')).toBe(says)
})
