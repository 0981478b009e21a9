import { describe, expect, it } from 'vitest'
import { heldBy, stepTo } from './follow.ts'
import type { Held } from './follow.ts'
import type { ReadPublication, ReadSituation } from './read-publication.ts'

const at = (time: string) => `2026-06-01T${time}:00.000Z`

function aSituation(id: string, differences: Partial<ReadSituation> = {}): ReadSituation {
  const item = { series: id, name: id, start: at('08:00'), end: null, datex: {} }
  return { id, versionTime: at('09:00'), isForwarded: false, phase: 'live', item, ...differences }
}

const aPublication = (situations: readonly ReadSituation[], time = '12:00'): ReadPublication => ({
  publicationTime: new Date(at(time)),
  supplier: 'X',
  situations,
})

const step = (held: Held, publication: ReadPublication, isComplete = true) => {
  const { items, held: next } = stepTo(publication, { held, isComplete })
  return { items, ids: items.map(({ series }) => series), next, live: [...next.keys()].sort() }
}

const none: Held = new Map()
const both = step(none, aPublication([aSituation('a'), aSituation('b')])).next

describe('stepTo', () => {
  it('pushes new situations, and none twice', () => {
    const first = step(none, aPublication([aSituation('a'), aSituation('b')]))
    expect([first.ids, first.live]).toEqual([['a', 'b'], ['a', 'b']]) // oxfmt-ignore
    expect(step(first.next, aPublication([aSituation('a'), aSituation('b')], '13:00')).ids).toEqual(
      [],
    )
    const repeated = step(none, aPublication([aSituation('a'), aSituation('b')]))
    expect(repeated.items).toEqual(first.items)
  })

  it('pushes a new version, and changed content of the same version', () => {
    const later = aSituation('a', { versionTime: at('11:00') })
    expect(step(both, aPublication([later, aSituation('b')])).ids).toEqual(['a'])
    const { item } = aSituation('b')
    const other = aSituation('b', { item: { ...item, name: 'other' } })
    expect(step(both, aPublication([aSituation('a'), other])).ids).toEqual(['b'])
  })

  it('assigns each state of a situation a new identifier, even if it returns after its end', () => {
    const live = step(none, aPublication([aSituation('a')]))
    const left = step(live.next, aPublication([], '13:00'))
    const back = step(left.next, aPublication([aSituation('a')], '14:00'))
    const ids = [live, left, back].flatMap(({ items }) => items.map(({ uuid }) => uuid))
    expect(new Set(ids).size).toBe(3)
  })

  it('ends situations missing from a whole document at its time, but not from changes', () => {
    const left = step(both, aPublication([aSituation('a')]))
    expect(left.items).toMatchObject([{ series: 'b', name: 'b', end: at('12:00') }])
    expect(left.live).toEqual(['a'])
    const changes = step(both, aPublication([aSituation('a')]), false)
    expect([changes.ids, changes.live]).toEqual([[], ['a', 'b']]) // oxfmt-ignore
  })

  it('cancels a missing situation that has not started', () => {
    const { item } = aSituation('c')
    const planned = aSituation('c', { item: { ...item, start: at('18:00') } })
    const { next } = step(none, aPublication([planned]))
    expect(step(next, aPublication([])).items).toMatchObject([{ series: 'c', cancelled: true }])
  })

  it('pushes ends and cancellations of situations that the hub has', () => {
    const { item } = aSituation('a')
    const ended = aSituation('a', { phase: 'ended', item: { ...item, end: at('11:30') } })
    const cancelled = aSituation('b', { phase: 'cancelled', item: { ...item, series: 'b' } })
    const unknown = aSituation('c', { phase: 'cancelled' })
    const over = step(both, aPublication([ended, cancelled, unknown]))
    expect([over.ids, over.live]).toEqual([['a', 'b'], []]) // oxfmt-ignore
    expect(step(over.next, aPublication([ended, cancelled], '12:30')).ids).toEqual([])
  })

  it('does not push an end that the hub already has', () => {
    const { item } = aSituation('a')
    const known = { ...item, end: at('11:30') }
    const { next } = step(none, aPublication([aSituation('a', { item: known })], '10:00'))
    const ended = aSituation('a', { phase: 'ended', item: known })
    expect(step(next, aPublication([ended])).ids).toEqual([])
    expect(step(next, aPublication([])).ids).toEqual([])
  })

  it('compares forwarded situations of the hub by the version time of the supplier', () => {
    const forwarded = aSituation('a', { isForwarded: true })
    const held = heldBy(
      aPublication([
        forwarded,
        aSituation('own'),
        aSituation('e', { isForwarded: true, phase: 'ended' }),
      ]),
    )
    expect([...held.keys()]).toEqual(['a'])
    expect(step(held, aPublication([aSituation('a')])).ids).toEqual([])
    expect(step(held, aPublication([])).ids).toEqual(['a'])
  })
})
