import { describe, expect, it } from 'vitest'
import type { TextRow } from '../storage/index.ts'
import { gatherRows } from './to-vector.ts'

/**
 * Returns the number of rows in two pieces whose rows cycle through the given number of texts, each
 * of 2,000 characters.
 */
function rowsOfPieces(sharedTexts: 'once' | 'in each piece', distinct: number) {
  const texts = Array.from({ length: distinct }, (_, id): [string, TextRow] => [
    String(id),
    [`${String(id)} `.padEnd(2000, 'x')],
  ])
  const cell = { index: 0, of: { key: 0, rows: new Map(texts) } }
  const columns = [{ name: 'smetadata', kind: 'json', cell }] as const
  const gathered = gatherRows({ columns, showNull: true, sharedTexts })
  const nextPiece = () => {
    for (let row = 0; !gathered.isEnough(); row++) gathered.add([[String(row % distinct)]])
    return gathered.take().length
  }
  return [nextPiece(), nextPiece()]
}

describe('A piece of columns', () => {
  it('ends at 16,384 rows if shared texts are written once', () => {
    expect(rowsOfPieces('once', 1000)).toEqual([16_384, 16_384])
  })

  it('ends at a million characters of shared texts if each piece repeats them', () => {
    expect(rowsOfPieces('in each piece', 1000)).toEqual([500, 500])
    expect(rowsOfPieces('in each piece', 100)).toEqual([16_384, 16_384])
  })
})
