import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { usePushingHub } from '../fixtures/pushing-hub.ts'
import type { PushingHub } from '../fixtures/pushing-hub.ts'
import { describeWithSharedData, readShared } from '../fixtures/shared-data.ts'
import { contentFiles } from './real-records/content-files.ts'
import type { ContentFile } from './real-records/content-files.ts'
import type { ContentRecord } from './real-records/content-records.ts'
import {
  contentRecord,
  differences,
  expectedOf,
  keyOf,
  withLowerTags,
} from './real-records/content-records.ts'

const page = Type.Object({ TotalPages: Type.Integer(), Items: Type.Array(contentRecord) })

const asSent = (_entity: string, record: ContentRecord) => record

describeWithDatabase('real content records, through push', (database) => {
  const hub = usePushingHub(database)

  describeWithSharedData('are returned unchanged, field by field', () => {
    it.each(contentFiles)('$entity: $count of $file', async (source) => {
      const { expected, warnings } = await comeBack(hub, source, withLowerTags)
      const changed = expected.filter(({ sent, stored }) => !isDeepStrictEqual(sent, stored))
      const named = new Set(warnings.filter(isOfTags).map(({ index }) => index))
      // At most 1,000 are listed per message.
      expect(named.size).toBe(Math.min(changed.length, 1000))
    })
  })
})

describeWithDatabase('real tags in the compatible profile', (database) => {
  const hub = usePushingHub(database, () => [], 'compatible')
  const tagged = contentFiles.filter(({ entity, file }) => entity === 'Tag' || /wine/.test(file))

  describeWithSharedData('keep their letter case', () => {
    it.each(tagged)('$entity: $count of $file', async (source) => {
      const { warnings } = await comeBack(hub, source, asSent)
      expect(warnings.filter(isOfTags)).toEqual([])
    })
  })
})

const isOfTags = ({ reason }: { readonly reason: string }) => reason.includes('lower case')

/**
 * Pushes the records of a file, and compares them with what the hub returns.
 * @param inProfile applies the changes that a profile makes to a record
 */
async function comeBack(hub: PushingHub, source: ContentFile, inProfile: typeof withLowerTags) {
  const { entity, path, file, count, convert } = source
  const records = convert(readShared(`data/${file}`))
  expect(records).toHaveLength(count)

  // If several records have the same Id, the last one counts, and the receipt lists the others.
  const last = new Map(records.map((record, index) => [keyOf(record), index]))
  const repeated = records.flatMap((record, index) =>
    last.get(keyOf(record)) === index ? [] : [index],
  )
  const { state, stored, rejected, warnings } = await hub.push([
    { kind: 'content', entity, items: records },
  ])
  expect([state, stored]).toEqual(['visible', count - repeated.length])
  expect(rejected.map(({ index }) => index)).toEqual(repeated)

  // Shapes are returned in the map's reference system by default; here their own is requested.
  const [first] = records
  const system = typeof first?.['Srid'] === 'string' ? `&srid=${first['Srid']}` : ''
  const read = await readList(hub, path, system)
  const expected = records
    .filter((_record, index) => !repeated.includes(index))
    .map((sent) => ({ sent, stored: inProfile(entity, sent) }))
  const wrong = expected.flatMap(({ stored: record }) =>
    differences(expectedOf(entity, record), read.get(keyOf(record))),
  )
  expect(wrong).toEqual([])

  for (const one of [expected.at(0), expected.at(-1)]) {
    const id = String(one?.stored.Id)
    const url = `/v1/${path}/${encodeURIComponent(id)}?${system.slice(1)}`
    const single = Parse(contentRecord, await hub.get(url))
    expect(single).toEqual(read.get(keyOf(single)))
    if (entity === 'Tag') expect(single.Id).toBe(id)
  }
  return { expected, warnings }
}

/** Returns all records of an entity by id. */
async function readList(hub: PushingHub, path: string, system: string) {
  const records = new Map<string, ContentRecord>()
  for (let number = 1; ; number++) {
    const url = `/v1/${path}?pagesize=1000&pagenumber=${String(number)}${system}`
    const { TotalPages, Items } = Parse(page, await hub.get(url))
    for (const record of Items) records.set(keyOf(record), record)
    if (number >= TotalPages) return records
  }
}

describe('the comparison', () => {
  it('detects a missing, changed or new field', () => {
    const sent = { Id: 'A', Same: [1, { a: null }], Lost: null, Other: 1, Self: 'x' }
    const read = { Id: 'a', Same: [1, { a: null }], Other: '1', New: 1, _Meta: {} }
    expect(differences(sent, read)).toEqual(['A: Lost', 'A: Other', 'A: New'])
    expect(differences(sent, undefined)).toContain('A: Id')
  })

  it('lets the hub generate fields that the sender omitted, and nothing else', () => {
    const meta = { _Meta: { Generated: ['A', 'B.de.C', 'D.E'] } }
    const read = { Id: 'a', A: 1, B: { de: { C: 1, X: 2 } }, D: [{ E: 1, F: 2 }], ...meta }
    const sent = { Id: 'a', A: null, B: { de: { X: 2 } }, D: [{ F: 2 }] }
    expect(differences(sent, read)).toEqual([])
    expect(differences({ ...sent, A: 2 }, read)).toEqual(['a: A'])
    expect(differences({ ...sent, D: [{ E: 3, F: 2 }] }, read)).toEqual(['a: D'])
    expect(differences(sent, { ...read, G: 1 })).toEqual(['a: G'])
  })

  it('does not expect fields that the interface has removed, for events only', () => {
    const record = { Id: 'A', Pdf: '', EventDate: [{ GpsEast: 1, From: 'x' }] }
    expect(expectedOf('Event', record)).toEqual({ Id: 'A', EventDate: [{ From: 'x' }] })
    expect(expectedOf('Article', record)).toEqual(record)
  })
})
