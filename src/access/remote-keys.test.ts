import { describe, expect, it } from 'vitest'
import { useFakeProvider } from '../../test/fixtures/fake-provider.ts'
import { discoverProvider, remoteKeys } from './identity-provider.ts'
import { tokenVerifier } from './principal.ts'

const { fake, asked, sign } = useFakeProvider()

describe('Tokens of an external provider', () => {
  const open = (now: () => Date = () => new Date()) => {
    const { issuer } = fake
    const discover = discoverProvider({ issuer, fetch })
    const source = remoteKeys({ discover, fetch, now })
    return tokenVerifier({ issuer, keys: source, ownClient: 'hub', toleranceSeconds: 5, now })
  }
  it('are verified with its keys, which are requested once', async () => {
    const verify = open()
    expect((await verify(await sign('first', 'ada'))).kind).toBe('verified')
    expect((await verify(await sign('first', 'bob'))).kind).toBe('verified')
    expect(asked('/certs')).toHaveLength(1)
  })

  it('with unknown keys do not cause repeated key requests', async () => {
    const verify = open()
    await verify(await sign('first'))
    for (const kid of ['x', 'y', 'z']) {
      const found = await verify(await sign(kid))
      expect(found).toEqual({ kind: 'rejected', reason: 'The token is signed with an unknown key' })
    }
    // Once at the start, and once because the provider may have a new key.
    expect(asked('/certs')).toHaveLength(2)
  })

  it('with a new key are verified at once, also in concurrent requests', async () => {
    const verify = open()
    await verify(await sign('first'))
    fake.kids = ['first', 'second']
    const tokens = await Promise.all(['ada', 'bob', 'cyd'].map((name) => sign('second', name)))
    const found = await Promise.all(tokens.map(verify))
    expect(found.map(({ kind }) => kind)).toEqual(['verified', 'verified', 'verified'])
    expect(asked('/certs')).toHaveLength(2)
  })

  it('with a removed key are rejected, even if they were verified before', async () => {
    let now = new Date()
    const verify = open(() => now)
    const token = await sign('first')
    expect((await verify(token)).kind).toBe('verified')
    fake.kids = ['second']
    now = new Date(now.getTime() + 61_000)
    const reason = 'The token is signed with an unknown key'
    await expect.poll(() => verify(token)).toEqual({ kind: 'rejected', reason })
  })

  it('with unknown keys cause a 503, not a 401, while the provider fails', async () => {
    const verify = open()
    await verify(await sign('first'))
    fake.silent = true
    for (const kid of ['second', 'third']) {
      await expect(verify(await sign(kid))).rejects.toMatchObject({ code: 'HUB-ACC-004' })
    }
    expect((await verify(await sign('first', 'bob'))).kind).toBe('verified')
  })

  it('wait less than a second for a slow provider, and use its keys once they arrive', async () => {
    const verify = open()
    const token = await sign('first')
    fake.delay = 600
    const start = performance.now()
    await expect(verify(token)).rejects.toMatchObject({ status: 503 })
    expect(performance.now() - start).toBeLessThan(1_500)
    await expect
      .poll(async () => (await verify(token).catch(() => ({ kind: 'late' }))).kind)
      .toBe('verified')
    expect(asked('/certs').length).toBeLessThanOrEqual(2)
  })

  it('cause a 503, not a 401, while it cannot be reached', async () => {
    const verify = open()
    const token = await sign('first')
    fake.silent = true
    const start = performance.now()
    await expect(verify(token)).rejects.toMatchObject({ code: 'HUB-ACC-004', status: 503 })
    expect(performance.now() - start).toBeLessThan(2_000)
    fake.silent = false
    expect((await verify(token)).kind).toBe('verified')
  })

  it('are still verified when it fails later', async () => {
    const verify = open()
    await verify(await sign('first', 'ada'))
    fake.silent = true
    expect((await verify(await sign('first', 'bob'))).kind).toBe('verified')
  })
})
