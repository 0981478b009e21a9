import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { AppError } from '../errors/index.ts'

/** What the hub needs to know of an external identity provider (OpenID Connect Discovery 1.0, section 3). */
export type ProviderMetadata = { readonly jwks_uri: string; readonly token_endpoint: string }

/** Asks the provider for its metadata, once; a failure is not kept. */
export type Discover = () => Promise<ProviderMetadata>

type Deps = { readonly issuer: string; readonly fetch: typeof fetch }

const metadata = Type.Object({
  jwks_uri: Type.String(),
  token_endpoint: Type.String(),
})

/** With the request for keys after it, a caller waits two seconds at most. */
const TIMEOUT = 1_000

/** Reads `<issuer>/.well-known/openid-configuration`. @throws AppError HUB-ACC-004 */
export function discoverProvider({ issuer, fetch }: Deps): Discover {
  const address = `${issuer}/.well-known/openid-configuration`
  const ask = async () => {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT) })
    const found: unknown = response.ok ? await response.json() : undefined
    if (Check(metadata, found)) return found
    throw new Error(`${address} answered ${String(response.status)} without usable metadata`)
  }
  let pending: Promise<ProviderMetadata> | undefined
  return () => {
    pending ??= ask().catch((cause: unknown) => {
      pending = undefined
      throw providerUnreachable(cause)
    })
    return pending
  }
}

/** The provider does not answer: the caller may try again, and has neither passed nor failed. */
export function providerUnreachable(cause: unknown): AppError {
  return new AppError('HUB-ACC-004', 'The identity provider does not answer.', {
    headers: { 'retry-after': '5' },
    hint: 'The token was not judged. Send the same request again in a few seconds.',
    cause,
  })
}
