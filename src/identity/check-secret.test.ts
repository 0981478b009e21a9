import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countAttempts, hashSecret, matchesHash, secretChecker } from './check-secret.ts'
import type { Attempt } from './check-secret.ts'

describe('A hashed secret', () => {
  it('is matched only by the same secret', async () => {
    const stored = await hashSecret('correct horse')
    expect(await matchesHash('correct horse', stored)).toBe(true)
    expect(await matchesHash('correct horsf', stored)).toBe(false)
    expect(await matchesHash('', stored)).toBe(false)
  })

  it('is stored with its algorithm and cost, salted', async () => {
    const [one, other] = await Promise.all([hashSecret('same'), hashSecret('same')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(other)
  })

  it('with a lower cost is not matched by a wrong password', async () => {
    const cheap = '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$'
    expect(await matchesHash('password', `${cheap}AAAAAAAA`)).toBe(false)
  })

  it.each([
    '',
    'plain',
    '$2b$10$abc',
    '$argon2id$v=19$m=8,t=1,p=1$$',
    '$argon2i$v=19$m=8,t=1,p=1$YQ$YQ',
  ])('that is malformed (%j) is matched by nothing', async (stored) => {
    expect(await matchesHash(stored, stored)).toBe(false)
  })
})

const attempt = { kind: 'client', account: 'a', address: '192.0.2.1' } as const

function checkerAt(now: () => Date) {
  const known = { has: () => Promise.resolve(false), add: () => Promise.resolve() }
  return secretChecker({ now, known })
}

describe('Checking a secret', () => {
  it('caches a success for a minute, but not for another hash', async () => {
    let now = new Date('2026-11-20T12:00:00Z')
    const check = checkerAt(() => now)
    const secret = { kind: 'hash', hash: await hashSecret('right') } as const
    const timed = async (text: string) => {
      const start = performance.now()
      return { right: await check(secret, text, attempt), took: performance.now() - start }
    }
    const first = await timed('right')
    expect(first.right).toBe(true)
    // The minimum of several runs, because the machine may be busy.
    let known = Infinity
    for (let time = 0; time < 5; time++) {
      const { right, took } = await timed('right')
      expect(right).toBe(true)
      known = Math.min(known, took)
    }
    expect(known).toBeLessThan(first.took / 4)
    expect((await timed('wrong')).right).toBe(false)
    const changed = { kind: 'hash', hash: await hashSecret('other') } as const
    expect(await check(changed, 'right', attempt)).toBe(false)
    now = new Date('2026-11-20T12:02:00Z')
    expect((await timed('right')).took).toBeGreaterThan(known * 2)
  })

  it('refuses attempts with 503 beyond 2 that are hashed and 40 that wait', async () => {
    const check = checkerAt(() => new Date())
    const attempts = Array.from({ length: 45 }, (_, index) =>
      check(undefined, 'guess', {
        ...attempt,
        account: String(index),
        address: `192.0.2.${index}`,
      }),
    )
    const outcomes = await Promise.allSettled(attempts)
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(3)
    for (const one of refused) expect(one).toMatchObject({ reason: { status: 503 } })
  })

  it('fails for an unknown account, at the cost of a hash', async () => {
    const check = checkerAt(() => new Date())
    const start = performance.now()
    expect(await check(undefined, '', attempt)).toBe(false)
    expect(performance.now() - start).toBeGreaterThan(2)
  })
})

const home = { kind: 'user', account: 'ada', address: '192.0.2.1' } as const
const elsewhere = { kind: 'user', account: 'ada', address: '198.51.100.7' } as const

function clocked() {
  let time = Date.parse('2026-11-20T12:00:00Z')
  const attempts = countAttempts({ now: () => new Date(time) })
  return {
    ...attempts,
    isPaused: (attempt: Attempt) => attempts.pause(attempt) > 0,
    pass: (seconds: number) => {
      time += seconds * 1000
    },
    fail: (attempt: Attempt, times: number) => {
      for (let n = 0; n < times; n++) attempts.failed(attempt)
    },
    /**
     * Returns the seconds until the pause ends, in steps of half a second, and advances the clock.
     */
    pause: (attempt: Attempt) => {
      let seconds = 0
      for (; attempts.pause(attempt) > 0; seconds += 0.5) time += 500
      return seconds
    },
  }
}

describe('Failed logins', () => {
  it('cause no pause at first, then one that doubles each time, up to a minute', () => {
    const { fail, pause } = clocked()
    fail(home, 4)
    expect(pause(home)).toBe(0)
    const pauses = Array.from({ length: 9 }, () => {
      fail(home, 1)
      return pause(home)
    })
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  })

  it('are forgotten after a success, and after a quarter of an hour', () => {
    const { fail, isPaused, succeeded, pass } = clocked()
    fail(home, 4)
    succeeded(home)
    fail(home, 4)
    expect(isPaused(home)).toBe(false)
    pass(901)
    fail(home, 4)
    expect(isPaused(home)).toBe(false)
  })

  it('count for the account from any IP address, but not for other accounts', () => {
    const { failed, isPaused } = clocked()
    for (let n = 0; n < 5; n++)
      failed({ kind: 'user', account: 'ada', address: `203.0.113.${String(n)}` })
    expect(isPaused(elsewhere)).toBe(true)
    expect(isPaused({ ...elsewhere, account: 'bob' })).toBe(false)
  })

  it('count for the IP address, regardless of the account', () => {
    const { failed, isPaused } = clocked()
    for (let n = 0; n < 20; n++)
      failed({ kind: 'user', account: `user ${String(n)}`, address: '2001:db8::1' })
    expect(isPaused({ kind: 'user', account: 'new', address: '2001:db8:0:0:ffff::2' })).toBe(true)
    expect(isPaused({ kind: 'user', account: 'new', address: '2001:db8:0:1::1' })).toBe(false)
  })

  it('of a client count for the IP address only, so others cannot lock the client out', () => {
    const { fail, isPaused } = clocked()
    const client = { kind: 'client', account: 'pusher', address: '198.51.100.7' } as const
    fail(client, 8)
    expect(isPaused(client)).toBe(true)
    expect(isPaused({ ...client, address: '203.0.113.9' })).toBe(false)
  })

  it('from elsewhere do not lock out a user who has logged in from here before', () => {
    const { fail, isPaused, succeeded } = clocked()
    succeeded(home)
    fail(elsewhere, 50)
    expect([isPaused(elsewhere), isPaused(home)]).toEqual([true, false])
    fail(home, 5)
    expect(isPaused(home)).toBe(true)
  })

  it('never cause a pause longer than a minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), (times) => {
        const { fail, isPaused, pass } = clocked()
        fail(home, times)
        pass(60)
        return !isPaused(home)
      }),
      { numRuns: 20 },
    )
  })

  it('are remembered for the last 20,000 accounts and addresses only, to limit memory', () => {
    const { fail, failed, isPaused } = clocked()
    fail(home, 20)
    expect(isPaused(home)).toBe(true)
    for (let n = 0; n < 10_000; n++) {
      failed({ kind: 'user', account: `user ${String(n)}`, address: `host ${String(n)}` })
    }
    expect(isPaused(home)).toBe(false)
  })
})
