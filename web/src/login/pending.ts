/** What has to be remembered while somebody is at the identity provider (RFC 7636, RFC 6749 10.12). */
export type Pending = {
  readonly verifier: string
  readonly state: string
  /** Where to go on afterwards. */
  readonly returnTo: string
}

const kept = 'hub.login'

export function keepPending(pending: Pending): void {
  sessionStorage.setItem(kept, JSON.stringify(pending))
}

/** It is good for one answer only. */
export function takePending(): Pending | undefined {
  const text = sessionStorage.getItem(kept)
  sessionStorage.removeItem(kept)
  const found: unknown = text === null ? undefined : JSON.parse(text)
  if (typeof found !== 'object' || found === null) return undefined
  if (!('verifier' in found && 'state' in found && 'returnTo' in found)) return undefined
  const { verifier, state, returnTo } = found
  return { verifier: String(verifier), state: String(state), returnTo: String(returnTo) }
}
