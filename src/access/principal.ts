/** Nobody in particular: no token, or one that could not be believed on an open address (decision D6). */
export type Anonymous = {
  readonly kind: 'anonymous'
  /** Why the token that was sent does not count, in words fit for `error_description`. */
  readonly rejected?: string
}

/** The bearer of a verified token. */
export type Verified = {
  readonly kind: 'verified'
  /** `sub`: the user, or the service account of the client. */
  readonly subject: string
  /** `azp`: the client that got the token. */
  readonly client: string
  /** `preferred_username`, for people and logs. */
  readonly name: string
  /** Union of `realm_access.roles` and those of the hub's own client in `resource_access` (decision D60). */
  readonly roles: ReadonlySet<string>
  /** The token itself, to ask the identity provider on the bearer's behalf (decision D52). Never logged. */
  readonly token: string
}

/** Who asks. Made once per request from its token, and the only source of rights. */
export type Principal = Anonymous | Verified

export const anonymous: Anonymous = { kind: 'anonymous' }
