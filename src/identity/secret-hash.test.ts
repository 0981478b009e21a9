import { describe, expect, it } from 'vitest'
import { secretChecker } from './check-secret.ts'
import { hashSecret, matchesHash } from './secret-hash.ts'

describe('A hashed secret', () => {
  it('is matched by itself only', async () => {
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

  it('is matched by the cost it was made with', async () => {
    const cheap = '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$'
    expect(await matchesHash('password', `${cheap}AAAAAAAA`)).toBe(false)
  })

  it.each([
    '',
    'plain',
    '$2b$10$abc',
    '$argon2id$v=19$m=8,t=1,p=1$$',
    '$argon2i$v=19$m=8,t=1,p=1$YQ$YQ',
  ])('that is none (%j) is matched by nothing', async (stored) => {
    expect(await matchesHash(stored, stored)).toBe(false)
  })
})

const attempt = { kind: 'client', account: 'a', address: '192.0.2.1' } as const

function checkerAt(now: () => Date) {
  const known = { has: () => Promise.resolve(false), add: () => Promise.resolve() }
  return secretChecker({ now, known })
}

describe('A secret that was right', () => {
  it('is known for a minute without the cost of its hash, but not under another hash', async () => {
    let now = new Date('2026-11-20T12:00:00Z')
    const check = checkerAt(() => now)
    const secret = { kind: 'hash', hash: await hashSecret('right') } as const
    const timed = async (text: string) => {
      const start = performance.now()
      return { right: await check(secret, text, attempt), took: performance.now() - start }
    }
    const first = await timed('right')
    const second = await timed('right')
    expect([first.right, second.right]).toEqual([true, true])
    expect(second.took).toBeLessThan(first.took / 4)
    expect((await timed('wrong')).right).toBe(false)
    const changed = { kind: 'hash', hash: await hashSecret('other') } as const
    expect(await check(changed, 'right', attempt)).toBe(false)
    now = new Date('2026-11-20T12:02:00Z')
    expect((await timed('right')).took).toBeGreaterThan(second.took * 2)
  })

  it('is never that of nobody, which costs as much to try', async () => {
    const check = checkerAt(() => new Date())
    const start = performance.now()
    expect(await check(undefined, '', attempt)).toBe(false)
    expect(performance.now() - start).toBeGreaterThan(2)
  })
})
