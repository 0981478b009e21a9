/** What has to be remembered while somebody is at the identity provider (RFC 7636, RFC 6749 10.12). */
export type Pending = {
  readonly verifier: string
  readonly state: string
  /** Where to go on afterwards. */
  readonly returnTo: string
}

const kept = 'hub.login'

/** It throws where the browser keeps nothing: without it a login cannot be finished. */
export function keepPending(pending: Pending): void {
  sessionStorage.setItem(kept, JSON.stringify(pending))
}

/** It is good for one answer only. */
export function takePending(): Pending | undefined {
  const found = takeKept()
  if (typeof found !== 'object' || found === null) return undefined
  if (!('verifier' in found && 'state' in found && 'returnTo' in found)) return undefined
  const { verifier, state, returnTo } = found
  return { verifier: String(verifier), state: String(state), returnTo: String(returnTo) }
}

/** What is not there, cannot be read or is not JSON is nothing. */
function takeKept(): unknown {
  try {
    const text = sessionStorage.getItem(kept)
    sessionStorage.removeItem(kept)
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}
