import { expect, it } from 'vitest'
import { tokenSource } from './token-source.ts'
import type { Login } from './token-source.ts'
import type { Tokens } from './tokens.ts'

const now = 1_000_000
const over: Tokens = { access: 'old', refresh: 'r', id: undefined, expires: now - 1 }
const ending: Tokens = { ...over, expires: now + 10_000 }
const renewed: Tokens = { ...over, access: 'new', expires: now + 300_000 }
const refusal = new Error('invalid_grant')

function aLogin(tokens: Tokens | undefined, renew: Login['renew']) {
  const log: string[] = []
  let present = tokens
  const source = tokenSource({
    tokens: () => present,
    take: (next) => {
      present = next
      log.push('taken')
    },
    end: () => {
      present = undefined
      log.push('ended')
    },
    renew: (old) => {
      log.push('asked')
      return renew(old)
    },
    isRefusal: (thrown) => thrown === refusal,
    now: () => now,
  })
  const logOut = () => {
    present = undefined
  }
  return { source, log, logOut }
}

it('returns a valid token unchanged, and none without a login', async () => {
  const { source, log } = aLogin(renewed, () => Promise.reject(refusal))
  expect(await source()).toBe('new')
  expect(log).toEqual([])
  expect(await aLogin(undefined, () => Promise.reject(refusal)).source()).toBeUndefined()
})

it('renews once for all concurrent callers', async () => {
  const { source, log } = aLogin(ending, () => Promise.resolve(renewed))
  expect(await Promise.all([source(), source(), source()])).toEqual(['new', 'new', 'new'])
  expect(log).toEqual(['asked', 'taken'])
})

it('ends a login that the provider refuses to renew', async () => {
  const { source, log } = aLogin(over, () => Promise.reject(refusal))
  expect(await source()).toBeUndefined()
  expect(log).toEqual(['asked', 'ended'])
})

it('ends a login that cannot be renewed when its token expires, and not before', async () => {
  const { refresh: _, ...rest } = over
  const lasting = { ...rest, refresh: undefined }
  const never = () => Promise.reject(refusal)
  expect(await aLogin(lasting, never).source()).toBeUndefined()
  expect(await aLogin({ ...lasting, expires: now + 10_000 }, never).source()).toBe('old')
})

it('keeps a login during an outage, and renews it at the next attempt', async () => {
  let isOut = true
  const outage = new TypeError('Failed to fetch')
  const renew = () => (isOut ? Promise.reject(outage) : Promise.resolve(renewed))
  const { source, log } = aLogin(over, renew)
  await expect(source()).rejects.toMatchObject({ failure: { kind: 'offline' } })
  isOut = false
  expect(await source()).toBe('new')
  expect(log).toEqual(['asked', 'asked', 'taken'])
})

it('reports a provider that responds with an error as temporarily unavailable', async () => {
  const { source } = aLogin(over, () => Promise.reject(new Error('503')))
  const failure = { kind: 'unavailable', retryAfter: 5 }
  await expect(source()).rejects.toMatchObject({ failure })
})

it('uses an old token while it is valid if a new one cannot be fetched', async () => {
  const { source } = aLogin(ending, () => Promise.reject(new Error('503')))
  expect(await source()).toBe('old')
})

it('does not undo a logout by a pending renewal', async () => {
  for (const answer of [() => Promise.resolve(renewed), () => Promise.reject(refusal)]) {
    const waiting = Promise.withResolvers<undefined>()
    const { source, log, logOut } = aLogin(ending, () => waiting.promise.then(answer))
    const asked = source()
    logOut()
    waiting.resolve(undefined)
    expect(await asked).toBeUndefined()
    expect(log).toEqual(['asked'])
  }
})
