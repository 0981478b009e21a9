import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bearer } from '../fixtures/composed-hub.ts'
import { describeOnEngines } from '../fixtures/databases.ts'
import { openFollowedHub, record } from '../fixtures/followed-hub.ts'
import type { FollowedHub, Message } from '../fixtures/followed-hub.ts'

/** The state of a record, reduced to what affects rights and filters. */
type State = { readonly closed: boolean; readonly origin: string; readonly active: boolean }
type Written = State & { readonly who: number }
type Step =
  | { readonly kind: 'write'; readonly records: readonly Written[] }
  | { readonly kind: 'delete'; readonly who: number }
  | { readonly kind: 'read'; readonly reader: number }

const who = fc.nat(5)
const written = fc.record({
  who,
  closed: fc.boolean(),
  origin: fc.constantFrom('open', 'partner'),
  active: fc.boolean(),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    records: fc.array(written, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('delete' as const), who }),
  fc.record({ kind: fc.constant('read' as const), reader: fc.nat(5) }),
)

/** A caller who keeps a copy, and everything that was ever visible to them. */
type Reader = {
  readonly headers: Readonly<Record<string, string>>
  readonly filter: string
  readonly sees: (state: State) => boolean
  readonly copy: Map<string, string>
  readonly seen: Set<string>
  offset: string
}

describeOnEngines('Readers of the change feed', (engine) => {
  let followed: FollowedHub
  let run = 0

  beforeAll(async () => {
    followed = await openFollowedHub(engine)
    await followed.openTo('PARTNER', 'content', 'partner')
  })
  afterAll(async () => {
    await followed.close()
  })

  async function readersOf(): Promise<readonly Reader[]> {
    const callers = [
      { headers: {}, sees: ({ closed }: State) => !closed },
      {
        headers: await bearer(['BDP_PARTNER']),
        sees: ({ closed, origin }: State) => !closed || origin === 'partner',
      },
      { headers: await bearer(['ADMIN']), sees: () => true },
    ]
    const filters = ['', `&rawfilter=${encodeURIComponent('eq(Active,true)')}`]
    return callers.flatMap((caller) =>
      filters.map((filter) => ({
        ...caller,
        filter,
        copy: new Map<string, string>(),
        seen: new Set<string>(),
        offset: '-1',
      })),
    )
  }

  async function readOn(reader: Reader): Promise<void> {
    for (;;) {
      const { headers, filter, offset } = reader
      const page = await followed.ask(`offset=${offset}${filter}`, headers)
      expect(page.status).toBe(200)
      for (const message of page.messages) apply(reader, message)
      if (page.messages.length === 0 && offset !== '-1') expect(page.next).toBe(offset)
      reader.offset = page.next
      if (page.isUpToDate) return
    }
  }

  function apply({ copy, seen }: Reader, { key, value, headers: { operation } }: Message): void {
    if (key.startsWith(`R${String(run)}.`)) expect(seen).toContain(key)
    if (operation === 'delete') copy.delete(key)
    else copy.set(key, JSON.stringify(value))
  }

  async function take(readers: readonly Reader[], one: Step): Promise<void> {
    const idOf = (place: number) => `R${String(run)}.${String(place)}`
    if (one.kind === 'read') {
      const reader = readers[one.reader]
      if (reader !== undefined) await readOn(reader)
    } else if (one.kind === 'delete') {
      await followed.write([], [idOf(one.who)])
    } else {
      const states = new Map(one.records.map((state) => [idOf(state.who), state]))
      for (const [id, state] of states) {
        for (const { seen, sees } of readers) if (sees(state)) seen.add(id)
      }
      await followed.write(
        [...states].map(([id, { closed, origin, active }]) =>
          record(id, {
            Active: active,
            LicenseInfo: { ClosedData: closed },
            _Meta: { Source: origin },
          }),
        ),
      )
    }
  }

  it('match the list when up to date, and receive nothing about hidden records', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        run += 1
        const readers = await readersOf()
        for (const one of steps) await take(readers, one)
        for (const reader of readers) {
          await readOn(reader)
          const fresh: Reader = { ...reader, copy: new Map(), offset: '-1' }
          await readOn(fresh)
          expect(Object.fromEntries(reader.copy)).toEqual(Object.fromEntries(fresh.copy))
        }
      }),
      { numRuns: 30 },
    )
  }, 120_000)
})
