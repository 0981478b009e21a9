import { describe, expect, it } from 'vitest'
import { availabilityKind } from './content.ts'

const item = { accommodation: 'A1', room: 'R1', type: 1, maxGuests: 2 }
const plan = { plan: 'HB', channel: 'hgv', board: 'hb', per: 'guest', price: 84.5 }
const nights = { from: '2026-12-01', to: '2026-12-31', free: 2 }

const rejections = (...items: readonly unknown[]) =>
  availabilityKind.check({ kind: 'availability', items }).rejected

describe('the availability format', () => {
  it('accepts rooms with plans and nights', () => {
    const prices = { HB: 120.25 }
    const child = { age: 11, percent: 50 }
    const full = {
      ...{ ...item, minGuests: 1, stdGuests: null, title: { de: 'Zimmer' }, active: true },
      description: {},
      pictures: ['https://pictures.example/room.jpg'],
      plans: [{ ...plan, children: [child], link: null }],
      nights: [{ ...nights, minStay: 3, closedToArrival: true, closedToDeparture: false, prices }],
    }
    expect(rejections(item, full, { ...item, plans: [{ ...plan, price: null }] })).toEqual([])
  })

  it.each([
    [{ ...item, room: '' }, '/room'],
    [{ ...item, type: 3 }, '/type'],
    [{ ...item, minGuests: 3 }, '/maxGuests'],
    [{ ...item, title: { 'de-AT': 'x' } }, '/title/de-AT'],
    [{ ...item, pictures: ['javascript:x'] }, '/pictures/0'],
    [{ ...item, rooms: 1 }, '/rooms'],
    [{ ...item, plans: [{ ...plan, channel: 'x' }] }, '/plans/0/channel'],
    [{ ...item, plans: [{ ...plan, price: 1.005 }] }, '/plans/0/price'],
    [{ ...item, plans: [{ ...plan, price: -1 }] }, '/plans/0/price'],
    [{ ...item, plans: [plan, plan] }, '/plans/1/plan'],
    [{ ...item, nights: [{ ...nights, from: '2026-02-30' }] }, '/nights/0/from'],
    [{ ...item, nights: [{ ...nights, to: '2026-11-30' }] }, '/nights/0/to'],
    [{ ...item, nights: [{ ...nights, to: '9999-12-31' }] }, '/nights/0/to'],
    [{ ...item, nights: [{ ...nights, free: -1 }] }, '/nights/0/free'],
    [{ ...item, nights: [{ ...nights, prices: { 'a/b': 0.001 } }] }, '/nights/0/prices/a~1b'],
    [{ ...item, nights: Array(200).fill(nights) }, '/nights'],
  ])('rejects %j with a pointer, and accepts the other items', (bad, pointer) => {
    expect(rejections(item, bad, item)).toEqual([
      { index: 1, pointer: `/items/1${pointer}`, reason: expect.stringMatching(/\w/) },
    ])
  })
})
