import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { usePushingHub } from '../fixtures/pushing-hub.ts'
import { describeWithSharedData, readShared } from '../fixtures/shared-data.ts'
import { contentFiles } from './real-records/content-files.ts'
import type { ContentRecord } from './real-records/content-records.ts'
import { contentRecord, differences, expectedOf, keyOf } from './real-records/content-records.ts'

const page = Type.Object({ TotalPages: Type.Integer(), Items: Type.Array(contentRecord) })

describeWithDatabase('real content records, through push', (database) => {
  const hub = usePushingHub(database)

  /** All records of an entity, by identifier. */
  const readList = async (path: string, system: string) => {
    const records = new Map<string, ContentRecord>()
    for (let number = 1; ; number++) {
      const url = `/v1/${path}?pagesize=1000&pagenumber=${String(number)}${system}`
      const { TotalPages, Items } = Parse(page, await hub.get(url))
      for (const record of Items) records.set(keyOf(record), record)
      if (number >= TotalPages) return records
    }
  }

  describeWithSharedData('come back unchanged, member by member', () => {
    it.each(contentFiles)('$entity: $count of $file', async (source) => {
      const { entity, path, file, count, convert } = source
      const records = convert(readShared(`data/${file}`))
      expect(records).toHaveLength(count)

      // Of several records with one Id, the last one counts, and the receipt names the others.
      const last = new Map(records.map((record, index) => [keyOf(record), index]))
      const repeated = records.flatMap((record, index) =>
        last.get(keyOf(record)) === index ? [] : [index],
      )
      const { state, stored, rejected } = await hub.push([
        { kind: 'content', entity, items: records },
      ])
      expect([state, stored]).toEqual(['visible', count - repeated.length])
      expect(rejected.map(({ index }) => index)).toEqual(repeated)

      // Shapes are shown in the system of the map unless another one is requested: here in their own.
      const [first] = records
      const system = typeof first?.['Srid'] === 'string' ? `&srid=${first['Srid']}` : ''
      const read = await readList(path, system)
      const expected = records
        .filter((_record, index) => !repeated.includes(index))
        .map((record) => expectedOf(entity, record))
      expect(expected.flatMap((record) => differences(record, read.get(keyOf(record))))).toEqual([])

      for (const record of [records.at(0), records.at(-1)]) {
        const id = String(record?.Id)
        const url = `/v1/${path}/${encodeURIComponent(id)}?${system.slice(1)}`
        const single = Parse(contentRecord, await hub.get(url))
        expect(single).toEqual(read.get(keyOf(single)))
      }
    })
  })
})

describe('the comparison', () => {
  it('notices a member that is lost, another or new', () => {
    const sent = { Id: 'A', Same: [1, { a: null }], Lost: null, Other: 1, Self: 'x' }
    const read = { Id: 'a', Same: [1, { a: null }], Other: '1', New: 1, _Meta: {} }
    expect(differences(sent, read)).toEqual(['A: Lost', 'A: Other', 'A: New'])
    expect(differences(sent, undefined)).toContain('A: Id')
  })

  it('lets the hub make what the sender left open, and nothing else', () => {
    const meta = { _Meta: { Generated: ['A', 'B.de.C', 'D.E'] } }
    const read = { Id: 'a', A: 1, B: { de: { C: 1, X: 2 } }, D: [{ E: 1, F: 2 }], ...meta }
    const sent = { Id: 'a', A: null, B: { de: { X: 2 } }, D: [{ F: 2 }] }
    expect(differences(sent, read)).toEqual([])
    expect(differences({ ...sent, A: 2 }, read)).toEqual(['a: A'])
    expect(differences({ ...sent, D: [{ E: 3, F: 2 }] }, read)).toEqual(['a: D'])
    expect(differences(sent, { ...read, G: 1 })).toEqual(['a: G'])
  })

  it('does not expect what the interface has removed from events, and from events only', () => {
    const record = { Id: 'A', Pdf: '', EventDate: [{ GpsEast: 1, From: 'x' }] }
    expect(expectedOf('Event', record)).toEqual({ Id: 'A', EventDate: [{ From: 'x' }] })
    expect(expectedOf('Article', record)).toEqual(record)
  })
})
