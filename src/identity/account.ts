/** A secret in its stored form: a hash, or for demo accounts only the plain text. */
export type Secret =
  | { readonly kind: 'hash'; readonly hash: string }
  | { readonly kind: 'demo'; readonly text: string }

type RolesByClient = Readonly<Record<string, readonly string[]>>

/** A program that requests tokens. */
export type Client = {
  readonly clientId: string
  /** Null for a public client, which has no secret. */
  readonly secret: Secret | null
  readonly grantTypes: readonly string[]
  readonly redirectUris: readonly string[]
  /** URLs, besides `redirectUris`, to which a browser may be redirected after logging out. */
  readonly logoutUris: readonly string[]
  /** Roles of its service account, for tokens without a user. */
  readonly roles: readonly string[]
  readonly clientRoles: RolesByClient
  /**
   * Roles that its users' tokens may contain; null for all of them, "full scope" (interface 5.7).
   */
  readonly scopeRoles: readonly string[] | null
  /** The client's own limit on the lifetime of a refresh token, in seconds. */
  readonly refreshSeconds: number | null
}

/** A person who logs in. */
export type User = {
  /** The claim `sub` of the user's tokens. */
  readonly id: string
  readonly username: string
  readonly password: Secret
  readonly enabled: boolean
  readonly email: string | null
  readonly givenName: string | null
  readonly familyName: string | null
  readonly roles: readonly string[]
  readonly clientRoles: RolesByClient
}

/** Accounts that exist in addition to those in the database. */
export type FixedAccounts = { readonly clients: readonly Client[]; readonly users: readonly User[] }
