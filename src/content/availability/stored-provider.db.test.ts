import { beforeEach, describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import { exportAvailability, storeAvailability } from './store-availability.ts'
import { boards } from './request.ts'
import type { AvailabilityRequest } from './request.ts'
import type { NightsItem, PlanItem, RoomItem } from './item.ts'
import { storedProvider } from './stored-provider.ts'

const noon = new Date('2026-12-01T12:00:00Z')
const later = (minutes: number) => new Date(noon.getTime() + minutes * 60_000)

const request: AvailabilityRequest = {
  ...{ arrival: '2026-12-10', departure: '2026-12-12', nights: 2 },
  rooms: [{ seq: 1, type: 1, ages: [40, 40] }],
  ...{ boards, channels: ['hgv'], language: 'en', detail: 'basic', source: 'sinfo' },
}

const flat: PlanItem = { plan: 'P', channel: 'hgv', board: 'bb', per: 'room', price: 100 }
const nights: NightsItem = { from: '2026-12-01', to: '2026-12-31', free: 2 }
const double: RoomItem = {
  ...{ accommodation: 'A1', room: 'R1', type: 1, maxGuests: 3, title: { en: 'Double' } },
  ...{ plans: [flat], nights: [nights] },
}

describeWithDatabase('stored rooms', (database) => {
  const store = (items: readonly RoomItem[], received = noon) =>
    database().transaction((tx) => storeAvailability(tx, { items, received }))
  const check = async (asked: Partial<AvailabilityRequest> = {}) => {
    const all = sql`select distinct accommodation from availability_room`
    return await storedProvider(database()).check({ ...request, ...asked }, all)
  }
  const cheapest = async (asked: Partial<AvailabilityRequest> = {}) =>
    (await check(asked)).get('A1')?.offers()[0]?.CheapestOffer
  const exported = async () => {
    const lines: unknown[] = []
    for await (const line of exportAvailability(database())) lines.push(JSON.parse(line))
    return lines
  }
  const clear = () =>
    database().execute(sql`truncate availability_day, availability_plan, availability_room`)

  beforeEach(clear)

  it('are the same after a repeated message, and after export and import', async () => {
    const exception = { from: '2026-12-05', to: '2026-12-06', free: 0, prices: { P: 80.25 } }
    const child = { age: 11, percent: 50 }
    const plan = { ...flat, price: null, children: [child], link: 'https://b.example/' }
    const sent = { ...double, plans: [plan], nights: [nights, exception] }
    await store([sent])
    const first = await exported()
    expect(first).toMatchObject([
      {
        kind: 'availability',
        items: [
          {
            ...{ accommodation: 'A1', room: 'R1', type: 1, minGuests: 1, maxGuests: 3 },
            plans: [plan],
            nights: [
              { from: '2026-12-01', to: '2026-12-04', free: 2, minStay: 1 },
              { from: '2026-12-05', to: '2026-12-06', free: 0, prices: { P: 80.25 } },
              { from: '2026-12-07', to: '2026-12-31', free: 2 },
            ],
          },
        ],
      },
    ])
    await store([sent], later(1))
    expect(await exported()).toEqual(first)
    await clear()
    const [line] = JSON.parse(JSON.stringify(first))
    expect(await store(line.items)).toEqual({ stored: 1, rejected: [] })
    expect(await exported()).toEqual(first)
  })

  it('keep values that are missing from a message', async () => {
    await store([double])
    await store([{ accommodation: 'a1', room: 'R1', stdGuests: 2 }], later(1))
    await store([{ accommodation: 'a1', room: 'R1', minGuests: 2 }], later(2))
    const [row] = await exported()
    expect(row).toMatchObject({
      items: [{ minGuests: 2, stdGuests: 2, maxGuests: 3, title: { en: 'Double' }, plans: [{}] }],
    })
    expect(await cheapest()).toBe(200)
    await store([{ accommodation: 'A1', room: 'R1', active: false }], later(3))
    expect(await cheapest()).toBeUndefined()
  })

  it('are not overwritten by an older message, neither descriptions nor nights', async () => {
    await store([double], later(10))
    const night = { from: '2026-12-10', to: '2026-12-10', free: 5, prices: { P: 30 } }
    await store([{ accommodation: 'A1', room: 'R1', nights: [night] }], later(20))
    const older = {
      ...double,
      maxGuests: 1,
      plans: [{ ...flat, price: 1 }],
      nights: [{ ...nights, free: 0 }],
    }
    expect(await store([older], later(5))).toEqual({ stored: 1, rejected: [] })
    expect(await cheapest()).toBe(130)
    // This description is newer than the stored one, but older than the stored night.
    await store([{ ...older, maxGuests: 3 }], later(15))
    expect(await cheapest()).toBeUndefined()
    expect(await cheapest({ departure: '2026-12-11', nights: 1 })).toBe(30)
  })

  it('are rejected if new without a type; the last of several items applies', async () => {
    const unknown = { accommodation: 'B', room: 'X', nights: [nights] }
    const outcome = await store([{ ...double, active: false }, unknown, double])
    expect(outcome).toEqual({
      stored: 1,
      rejected: [
        { index: 0, pointer: '/room', reason: expect.stringContaining('last') },
        { index: 1, pointer: '/type', reason: expect.stringContaining('maxGuests') },
      ],
    })
    expect(await cheapest()).toBe(200)
  })

  it('count towards the limit of nights only if they are stored', async () => {
    const endless = { ...nights, from: '2027-01-01', to: '4999-12-31' }
    const outcome = await store([
      { ...double, room: 'R1' },
      { ...double, room: 'R2', nights: [endless] },
      { ...double, room: 'R3' },
    ])
    expect(outcome).toEqual({
      stored: 2,
      rejected: [{ index: 1, pointer: '/nights', reason: expect.stringContaining('1000000') }],
    })
  })

  it('keep their ids, and use no new ones when they are described again', async () => {
    const ids = () =>
      database().query<{ id: number }>(sql`select id from availability_room order by id`)
    await store([double])
    const [{ id } = { id: 0 }] = await ids()
    await store([double], later(1))
    await store([double, { ...double, room: 'R2' }], later(2))
    expect(await ids()).toEqual([{ id }, { id: id + 1 }])
  })

  it('delete past nights', async () => {
    await store([double])
    const days = async () => {
      const [row] = await database().texts(sql`select min(day), count(*) from availability_day`)
      return row
    }
    expect(await days()).toEqual(['2026-12-01', '31'])
    const again = { accommodation: 'A1', room: 'R1', nights: [{ ...nights, from: '2026-12-30' }] }
    await store([again], new Date('2026-12-30T00:00:00Z'))
    expect(await days()).toEqual(['2026-12-28', '4'])
  })

  it('record one change of the accommodation for several rooms', async () => {
    const count = async () => {
      const [row] = await database().texts(
        sql`select count(*) from change where dataset = 'Availability' and id = 'A1'`,
      )
      return Number(row?.[0])
    }
    const before = await count()
    await store([double, { ...double, room: 'R2' }])
    expect(await count()).toBe(before + 1)
  })

  describe('are free', () => {
    const on = (from: string, to: string, more: Partial<NightsItem>): NightsItem => ({
      ...nights,
      ...more,
      ...{ from, to },
    })
    it.each<[string, NightsItem, boolean]>([
      ['not when one night is not', on('2026-12-11', '2026-12-11', { free: 0 }), false],
      ['whatever the day of departure is', on('2026-12-12', '2026-12-12', { free: 0 }), true],
      ['not when the stay is too short', on('2026-12-10', '2026-12-10', { minStay: 3 }), false],
      ['for stays that begin before', on('2026-12-11', '2026-12-11', { minStay: 9 }), true],
      ['not to arrive', on('2026-12-10', '2026-12-10', { closedToArrival: true }), false],
      ['but to arrive', on('2026-12-11', '2026-12-12', { closedToArrival: true }), true],
      ['not to depart', on('2026-12-12', '2026-12-12', { closedToDeparture: true }), false],
      ['but to depart', on('2026-12-10', '2026-12-11', { closedToDeparture: true }), true],
    ])('%s', async (_title, exception, isFree) => {
      await store([{ ...double, nights: [nights, exception] }])
      expect((await check()).has('A1')).toBe(isFree)
    })

    it('not for a night without a description or a price', async () => {
      await store([{ ...double, nights: [on('2026-12-01', '2026-12-10', {})] }])
      expect((await check()).size).toBe(0)
      const priced = on('2026-12-10', '2026-12-10', { prices: { P: 5 } })
      await store([{ ...double, plans: [{ ...flat, price: null }], nights: [nights, priced] }])
      expect((await check()).size).toBe(0)
      await store([
        {
          ...double,
          plans: [{ ...flat, price: null }],
          nights: [{ ...nights, prices: { P: 5.5 } }],
        },
      ])
      expect(await cheapest()).toBe(11)
    })

    it('for children at the price for their age', async () => {
      const children = [
        { age: 11, percent: 50 },
        { age: 2, percent: 0 },
      ]
      const plan: PlanItem = { ...flat, per: 'guest', price: 33.33, children }
      await store([{ ...double, maxGuests: 4, plans: [plan] }])
      const rooms = [{ seq: 1, type: 1, ages: [40, 2, 11, 12] } as const]
      // A full guest pays 66.66: the ages 40 and 12 pay all of it, 11 pays half, 2 pays nothing.
      expect(await cheapest({ rooms })).toBe(166.65)
    })
  })
})
