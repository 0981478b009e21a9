import { describe, expect, it } from 'vitest'
import { decodeJson, inRuns } from './pipeline.ts'

const some = { maxBatch: 1000 }
const kinds = new Map([
  ['content', some],
  ['x', some],
  ['small', { maxBatch: 20_000 }],
])

/** Returns the lines of each run. */
const runsOf = (...lines: readonly string[]) =>
  [...inRuns(decodeJson(Buffer.from(lines.join('\n'))), kinds)].map((run) =>
    run.map(({ line }) => line),
  )
const object = (head: object, items: number) =>
  JSON.stringify({ ...head, items: Array.from({ length: items }, () => 1) })

describe('runs of lines', () => {
  it('contain lines that differ only in items and deletions', () => {
    const tag = { kind: 'content', entity: 'Tag' }
    const deletion = JSON.stringify({ ...tag, delete: ['a'] })
    const other = object({ kind: 'content', entity: 'Area' }, 1)
    expect(runsOf(object(tag, 1), deletion, '', object(tag, 2), other, object(tag, 1))).toEqual([
      [1, 2, 4],
      [5],
      [6],
    ])
  })

  it('compare values that are nested one level', () => {
    const from = (lineage: string) => object({ kind: 'x', provenance: { name: 'n', lineage } }, 1)
    expect(runsOf(from('a'), from('a'), from('b'))).toEqual([[1, 2], [3]])
  })

  it('combine lines up to the maximum batch, and keep a larger line whole', () => {
    const lines = [400, 400, 400, 5000, 1].map((items) => object({ kind: 'x' }, items))
    expect(runsOf(...lines)).toEqual([[1, 2], [3], [4], [5]])
    const small = [5000, 5000, 9000, 5000].map((items) => object({ kind: 'small' }, items))
    expect(runsOf(...small)).toEqual([[1, 2, 3], [4]])
  })

  it('do not combine lines that are not objects or are nested too deeply', () => {
    const deep = `{"entity":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(runsOf('{', '{', '1', '1', '[]', '[]', deep, deep)).toHaveLength(8)
  })
})
