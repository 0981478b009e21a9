/** Lifetimes of interface 5.5, in seconds. */
export const ACCESS_TOKEN = 300
export const SESSION_MAXIMUM = 36_000
export const SESSION_IDLE = 7_200

type Limits = {
  /** When the session began and what time it is, seconds since 1970. */
  readonly began: number
  readonly now: number
  /** The client's own limit, if it has one. */
  readonly client: number | null
}

/** How long a refresh token lives: the smallest of session maximum, idle time and client limit. */
export function refreshLifetime({ began, now, client }: Limits): number {
  const remaining = began + SESSION_MAXIMUM - now
  return Math.max(1, Math.min(remaining, SESSION_IDLE, client ?? Infinity))
}
