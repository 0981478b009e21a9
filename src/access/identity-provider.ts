import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { AppError } from '../errors/index.ts'
import { deadline } from '../async/index.ts'

/** What the hub needs to know of an external identity provider (OpenID Connect Discovery 1.0, section 3). */
export type ProviderMetadata = { readonly jwks_uri: string; readonly token_endpoint: string }

/** Asks the provider for its metadata, once; a failure is not kept. */
export type Discover = () => Promise<ProviderMetadata>

type Deps = { readonly issuer: string; readonly fetch: typeof fetch }

const metadata = Type.Object({
  jwks_uri: Type.String(),
  token_endpoint: Type.String(),
})

/** How long the provider may take; callers wait less, and profit from an answer that comes later. */
const TIMEOUT = 10_000

/** A request may wait for keys and then for a decision: less than two seconds together. */
const PATIENCE = 900

/**
 * What the provider answers, if it does so soon. Its answer is worth waiting for in the background
 * even when the request that wanted it has gone. @throws AppError HUB-ACC-004
 */
export async function waitForProvider<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const late = () => new Error(`No answer within ${PATIENCE} ms`)
  try {
    return await deadline(answer, PATIENCE, late)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw providerUnreachable(cause)
  }
}

/**
 * Many who want the same share one attempt. One that hangs keeps nobody who comes later from another,
 * but where it succeeds in the end, what it found counts.
 */
export function sharedAttempt<Found>(attempt: () => Promise<Found>): () => Promise<Found> {
  let current: Promise<Found> | undefined
  return () => {
    if (current !== undefined) return current
    const mine = attempt()
    const forget = () => {
      if (current === mine) current = undefined
    }
    current = mine
    setTimeout(forget, PATIENCE).unref()
    mine.then(forget, forget)
    return mine
  }
}

/** Reads `<issuer>/.well-known/openid-configuration`. @throws AppError HUB-ACC-004 */
export function discoverProvider({ issuer, fetch }: Deps): Discover {
  const address = `${issuer}/.well-known/openid-configuration`
  const ask = async () => {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT) })
    const found: unknown = response.ok ? await response.json() : undefined
    if (Check(metadata, found)) return found
    throw new Error(`${address} answered ${String(response.status)} without usable metadata`)
  }
  let known: ProviderMetadata | undefined
  const attempt = sharedAttempt(async () => {
    try {
      known = await ask()
      return known
    } catch (cause) {
      throw providerUnreachable(cause)
    }
  })
  return async () => known ?? (await attempt())
}

/** The provider does not answer: the caller may try again, and has neither passed nor failed. */
export function providerUnreachable(cause: unknown): AppError {
  return new AppError('HUB-ACC-004', 'The identity provider does not answer.', {
    headers: { 'retry-after': '5' },
    hint: 'The token was not judged. Send the same request again in a few seconds.',
    cause,
  })
}
