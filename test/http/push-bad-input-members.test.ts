import { describe, expect, it } from 'vitest'
import { entitiesOf, toNaming } from '../../src/content/index.ts'
import { canonicalKinds } from '../../src/push/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { usePushingHub } from '../fixtures/pushing-hub.ts'
import { impossibleItems, kindCases } from './bad-input/wrong-members.ts'
import { wrongRecordsOf } from './bad-input/wrong-records.ts'

const entities = entitiesOf(toNaming('Hub'))
const kinds = canonicalKinds(entities)

type Case = { readonly title: string; readonly message: object; readonly fault: object }

/** One message for each member of each kind, in which only that member is invalid. */
const cases: readonly Case[] = Object.entries(kindCases).flatMap(([kind, one]) => [
  ...Object.entries(one.wrongHead).map(([name, [value, below = '']]) => ({
    title: `${kind}, ${name}`,
    message: { ...one.head, items: [one.item], [name]: value },
    fault: { index: null, pointer: `/${name}${below}` },
  })),
  ...Object.entries(one.wrongItem).map(([name, [value, below = '']]) => ({
    title: `${kind}, item, ${name}`,
    message: { ...one.head, items: [replaced(one.item, name, value)] },
    fault: { index: 0, pointer: `/items/0/${name}${below}` },
  })),
  {
    title: `${kind}, unknown member`,
    message: { ...one.head, items: [one.item], itmes: [] },
    fault: { index: null, pointer: '/itmes' },
  },
])

function replaced(item: object, name: string, value: unknown): object {
  if (Array.isArray(item)) return item.with(Number(name), value)
  return { ...item, [name]: value }
}

describe('the cases', () => {
  it('cover every field of every kind', () => {
    for (const { name, schemas } of kinds) {
      const known = kindCases[name]
      expect(Object.keys(known?.wrongHead ?? {}).sort()).toEqual(membersOf(schemas.message))
      if (name === 'content') continue
      expect(Object.keys(known?.wrongItem ?? {}).sort()).toEqual(membersOf(schemas.item))
    }
  })
})

/** Returns the member names of an object, or the positions of a tuple. */
function membersOf(schema: object): readonly string[] {
  if ('properties' in schema) return Object.keys(Object(schema.properties)).sort()
  return 'items' in schema ? Object.keys(Object(schema.items)).sort() : []
}

describeWithDatabase('a message with one wrong field', (database) => {
  const hub = usePushingHub(database)

  it('is accepted once the field is corrected', async () => {
    const order = [
      ...['dataTypes', 'stations', 'measurements', 'edges', 'events', 'content', 'availability'],
      'delete',
    ]
    const messages = order.map((kind) => ({
      ...kindCases[kind]?.head,
      items: [kindCases[kind]?.item],
    }))
    expect(await hub.push(messages)).toMatchObject({ stored: order.length, rejected: [] })
  })

  it.each(cases)('$title: reports where, and stores nothing', async ({ message, fault }) => {
    const good = { kind: 'dataTypes', items: [{ name: 'a' }] }
    const { stored, rejected } = await hub.push([good, message])
    expect(stored).toBe(1)
    expect(rejected).toEqual([{ ...fault, line: 2, reason: expect.stringMatching(/\w{3}/) }])
  })

  it.each(impossibleItems)('%s %j: reports where', async (kind, item, pointer) => {
    const { stored, rejected } = await hub.push([{ ...kindCases[kind]?.head, items: [item] }])
    expect(stored).toBe(0)
    const reason = expect.stringMatching(/\w{3}/)
    expect(rejected).toEqual([{ index: 0, pointer: `/items/0${pointer}`, reason }])
  })

  it.each(entities)(
    '$name: is rejected if the hub computes with the field, otherwise stored with a warning',
    async (entity) => {
      const wrong = wrongRecordsOf(entity.schema)
      expect(wrong.length).toBeGreaterThan(10)
      const items = wrong.map(({ record, pointer }, index) =>
        pointer === '/Id' ? record : { ...record, Id: `w${String(index)}` },
      )
      const { stored, rejected, warnings } = await hub.push([
        { kind: 'content', entity: entity.name, items },
      ])
      const told = [...rejected, ...warnings].sort(
        (one, other) => Number(one.index) - Number(other.index),
      )
      expect(told.map(({ pointer }) => pointer)).toEqual(
        wrong.map(({ pointer }, index) => `/items/${String(index)}${pointer}`),
      )
      expect(stored).toBe(warnings.length)
      expect(warnings.length).toBeGreaterThan(5)
      expect(rejected.every(({ pointer = '' }) => strict.test(pointer))).toBe(true)
    },
  )
})

/** The names that decision D66 lists. */
const strict =
  /Id$|_Meta|Licen[cs]e|Active|Source|Mapping|PublishedOn|Tag|Gps|Geo|tude$|Change$|Import$|Date|Begin$|End$/
