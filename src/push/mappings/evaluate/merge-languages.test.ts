import { describe, expect, it } from 'vitest'
import { ExpressionFault } from '../faults.ts'
import { compileExpression } from './expression.ts'
import { mergeLanguages } from './merge-languages.ts'

const expression = (text: string) => compileExpression(text, {}, { milliseconds: 1000, depth: 100 })

const merge = { by: expression('id'), language: expression('lang') }

describe('mergeLanguages', () => {
  it('rejects an item that tells of an entity in one language again, and keeps the first', async () => {
    const items = [
      { id: 1, lang: 'de', name: 'Bozen' },
      { id: 1, lang: 'it', name: 'Bolzano' },
      { id: 1, lang: 'de', name: 'Brixen' },
      { id: 2, lang: 'de', name: 'Meran' },
    ]
    const [first, again, second, ...more] = await mergeLanguages(items, merge)
    expect(first).toEqual({
      key: '1',
      languages: { de: items[0], it: items[1] },
      first: items[0],
    })
    expect(again).toBeInstanceOf(ExpressionFault)
    expect(again).toMatchObject({ message: 'merge: tells of "1" in "de" twice' })
    expect(second).toEqual({ key: '2', languages: { de: items[3] }, first: items[3] })
    expect(more).toEqual([])
  })

  it('rejects it in a list for a language, too', async () => {
    const lists = { de: [{ id: 'a' }, { id: 'a' }], it: [{ id: 'a' }] }
    expect(await mergeLanguages(lists, { by: merge.by, language: undefined })).toEqual([
      { key: 'a', languages: { de: { id: 'a' }, it: { id: 'a' } }, first: { id: 'a' } },
      expect.any(ExpressionFault),
    ])
  })

  it('keeps a language of any name', async () => {
    const items = ['__proto__', 'constructor'].map((lang) => ({ id: 'a', lang }))
    const [merged] = await mergeLanguages(items, merge)
    expect(JSON.parse(JSON.stringify(merged))).toMatchObject({ key: 'a' })
    expect(JSON.stringify(merged)).toContain('"languages":{"__proto__":{"id":"a"')
    expect(JSON.stringify(merged)).toContain('"constructor":{"id":"a"')
  })
})
