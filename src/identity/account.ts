/** How a secret is known: by its hash, or openly, which only demo accounts are. */
export type Secret =
  | { readonly kind: 'hash'; readonly hash: string }
  | { readonly kind: 'demo'; readonly text: string }

type RolesByClient = Readonly<Record<string, readonly string[]>>

/** A program that requests tokens. */
export type Client = {
  readonly clientId: string
  /** Null for a public client, which has none. */
  readonly secret: Secret | null
  readonly grantTypes: readonly string[]
  readonly redirectUris: readonly string[]
  /** Where a browser may go after logging out, besides those. */
  readonly logoutUris: readonly string[]
  /** Roles of its service account, for tokens without a user. */
  readonly roles: readonly string[]
  readonly clientRoles: RolesByClient
  /** Roles that its users' tokens may carry; null for all of them, "full scope" (interface 5.7). */
  readonly scopeRoles: readonly string[] | null
  /** Its own limit of a refresh token's life, seconds. */
  readonly refreshSeconds: number | null
}

/** A person who logs in. */
export type User = {
  /** `sub` of the tokens. */
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

/** Accounts that exist beside those in the database. */
export type FixedAccounts = { readonly clients: readonly Client[]; readonly users: readonly User[] }
