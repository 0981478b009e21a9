import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Principal } from '../access/index.ts'
import { addressKey, counterKey, plans, queryPath } from './count-requests.ts'

const bearer = (subject: string): Principal => ({
  kind: 'verified',
  ...{ subject, client: 'c', name: 'n', token: 't', roles: new Set<string>() },
})
const asker = {
  principal: { kind: 'anonymous' } as const,
  header: undefined,
  parameter: undefined,
  address: '192.0.2.1',
  url: '/v1/Accommodation',
}

describe('The key of a counter', () => {
  it('distinguishes requests only by the properties that their plan counts per', () => {
    const others = {
      user: { principal: bearer('b') },
      referer: { header: 'https://b.test' },
      address: { address: '192.0.2.2' },
      path: { url: '/v1/Event' },
    }
    const user = { ...asker, principal: bearer('a'), header: 'https://a.test' }
    for (const plan of [plans.unregistered, plans.referrer, plans.basic, plans.premium]) {
      const key = counterKey(plan, user)
      expect(counterKey(plan, { ...user, url: '/v1/Accommodation?pagesize=5' })).toBe(key)
      const apart = Object.entries(others).filter(
        ([, other]) => counterKey(plan, { ...user, ...other }) !== key,
      )
      expect(apart.map(([name]) => name).toSorted()).toEqual(plan.countedPer.toSorted())
    }
  })

  it('is different for each plan', () => {
    const all = [plans.basic, plans.advanced, plans.premium].map((plan) => counterKey(plan, asker))
    expect(new Set(all).size).toBe(all.length)
  })

  it('is the same for both spellings of an IPv4 address', () => {
    const mapped = { ...asker, address: '::ffff:192.0.2.1' }
    expect(counterKey(plans.unregistered, mapped)).toBe(counterKey(plans.unregistered, asker))
  })

  it('of an address is the same for a whole IPv6 network', () => {
    const keys = ['2001:db8::1', '2001:db8::2:1', '2001:db8:0:1::1', '192.0.2.1'].map((address) =>
      addressKey({ address }),
    )
    expect(keys[0]).toBe(keys[1])
    expect(new Set(keys).size).toBe(3)
  })

  it('has a bounded length and no collisions, for any request', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 })
    const parts = fc.record({ subject: text, referer: text, address: text })
    const keyOf = ({
      subject,
      referer,
      address,
    }: Record<'subject' | 'referer' | 'address', string>) =>
      counterKey(plans.basic, { ...asker, principal: bearer(subject), parameter: referer, address })
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(keyOf(one).length).toBeLessThanOrEqual(120)
        const isSame =
          one.subject === other.subject &&
          one.referer.trim() === other.referer.trim() &&
          one.address.replace(/^::ffff:/, '') === other.address.replace(/^::ffff:/, '')
        expect(keyOf(one) === keyOf(other)).toBe(isSame)
      }),
    )
    const shifted = [
      { subject: 'a', referer: '","b', address: 'c' },
      { subject: 'a","', referer: 'b', address: 'c' },
    ]
    expect(new Set(shifted.map(keyOf)).size).toBe(2)
    expect(keyOf({ subject: 's', referer: 'x'.repeat(1_000_000), address: 'a' })).toHaveLength(43)
  })
})

describe('The query path', () => {
  it.each([
    ['/v1/Accommodation?pagesize=1', '/v1/Accommodation'],
    ['/v1/Accommodation/', '/v1/Accommodation'],
    ['/v1/%41ccommodation', '/v1/Accommodation'],
    ['/v1/Accommodation#1', '/v1/Accommodation'],
    ['http://hub.test/v1/Accommodation?a', '/v1/Accommodation'],
    ['https://hub.test', '/'],
    ['/v1/Accommodation/A%2CB', '/v1/Accommodation/A,B'],
    ['/v1/Accommodation/%E0%A4%A', '/v1/Accommodation/%E0%A4%A'],
    ['/v2', '/v2'],
    ['/v2/', '/v2'],
    ['/v2/flat/%2A/*', '/v2/flat/*/*'],
    ['', '/'],
  ])('of %s is %s', (url, path) => {
    expect(queryPath(url)).toBe(path)
  })

  it.each([
    ['/v2/flat/P/free/latest?limit=1', '/v2/flat/P/free/latest'],
    ['/v2/flat/P/free/2024-01-01/2024-01-02', '/v2/flat/P/free/{from}/{to}'],
    ['/v2/flat/P/free/now/then', '/v2/flat/P/free/{from}/{to}'],
    [
      '/v2/tree,node/P/metadata/2024-01-01/2024-01-02T10:00%2B0100',
      '/v2/tree,node/P/metadata/{from}/{to}',
    ],
    ['/v2/flat,event/R/latest', '/v2/flat,event/R/latest'],
    ['/v2/flat,event/R/2024-01-01', '/v2/flat,event/R/{from}'],
    ['/v2/flat%2Cevent/R/2024-01-01/2024-01-02', '/v2/flat,event/R/{from}/{to}'],
    ['/v2/flat,edge/R', '/v2/flat,edge/R'],
  ])('of %s leaves out times: %s', (url, path) => {
    expect(queryPath(url)).toBe(path)
  })

  it('is the same for all spellings of a path', () => {
    const segment = fc.stringMatching(/^[A-Za-z0-9*,_-]{1,8}$/)
    const spelled = (text: string, isCoded: (position: number) => boolean) =>
      Array.from(text)
        .map((letter, at) =>
          isCoded(at) ? `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}` : letter,
        )
        .join('')
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.boolean()),
        fc.constantFrom('', '/', '?a=/b', '/?a', '#x'),
        (segments, coded, end) => {
          const other = segments
            .map((text) => spelled(text, () => coded.next().value === true))
            .join('/')
          expect(queryPath(`/v2/${other}${end}`)).toBe(queryPath(`/v2/${segments.join('/')}`))
        },
      ),
    )
  })

  it('never fails', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (url) => {
        expect(queryPath(url)).toMatch(/^\//)
      }),
    )
  })
})
