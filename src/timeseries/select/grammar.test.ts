import { describe, expect, it } from 'vitest'
import { LanguageError } from '../../lang/index.ts'
import { parseSelect } from './grammar.ts'

function textsOf(source: string): readonly string[] {
  const select = parseSelect(source)
  return select.kind === 'all' ? ['all'] : select.entries.map(({ text }) => text)
}

function failureOf(source: string): LanguageError {
  try {
    parseSelect(source)
  } catch (error) {
    if (error instanceof LanguageError) return error
    throw error
  }
  throw new Error(`${source} was read`)
}

describe('select', () => {
  it.each([
    ['scode', ['scode']],
    [' scode , sname ', ['scode', 'sname']],
    ['scode,', ['scode']],
    ['scode,scode', ['scode']],
    ['*', ['all']],
    ['scode,*', ['all']],
    ['smetadata.outlets.0.maxPower', ['smetadata.outlets.0.maxPower']],
    ['smetadata.signal-codes', ['smetadata.signal-codes']],
    ['max(mvalue),count( smetadata.a )', ['max(mvalue)', 'count(smetadata.a)']],
  ])('reads %s', (source, texts) => {
    expect(textsOf(source)).toEqual(texts)
  })

  it.each([
    ['scode,,sname', 6],
    [',', 0],
    ['scode sname', 6],
    ['scode.', 5],
    ['max(mvalue', 10],
    ['*,max(mvalue)', 2],
    ['scode;drop', 5],
  ])('rejects %s at position %i', (source, position) => {
    expect(failureOf(source).position).toBe(position)
  })

  it('suggests a similar function', () => {
    expect(failureOf('mx(mvalue)').hint).toBe('Did you mean max?')
  })

  it('explains which JSON keys can be selected', () => {
    const keys = 'In a path, a key consists of letters, digits, _ and -'
    expect(failureOf('smetadata.name:de').hint).toBe(keys)
    expect(failureOf('scode,smetadata.a b').hint).toBe(keys)
    expect(failureOf('scode sname').hint).toBeUndefined()
  })

  it('limits the length and the number of entries', () => {
    const names = Array.from({ length: 201 }, (_, index) => `a${String(index)}`)
    expect(failureOf(names.join(',')).expected[0]).toContain('at most')
    expect(failureOf('a'.repeat(4001)).message).toContain('longer than')
  })
})
