/** The part of oidc-provider 9 that the token service uses. The package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'
  import type { Readable } from 'node:stream'
  import type { JWK } from 'jose'

  export type Context = {
    status: number
    type: string
    body: unknown
    readonly request: object
    /** Extra state of the hub: when the request arrived. */
    readonly state: { arrived?: Date }
    readonly req: { readonly callerAddress?: string }
    set(field: string, value: string): void
    readonly oidc: {
      readonly route: string
      readonly provider: Provider
      readonly session: Session
      /** The account of the session, if it still exists. */
      readonly account?: { readonly accountId: string }
      readonly params: Readonly<Record<string, string | undefined>>
      readonly client: OidcClient
      readonly entities: { readonly RefreshToken?: Token; readonly AccessToken?: Token }
      entity(name: string, value: unknown): void
    }
  }

  export type Session = {
    readonly accountId?: string
    /** When the user logged in, in seconds since 1970. */
    readonly loginTs?: number
    grantIdFor(clientId: string): string | undefined
  }

  /** A login in progress in a browser. */
  export type Interaction = {
    readonly uid: string
    /** Parameters of the authorization request. */
    readonly params: Readonly<Record<string, string | undefined>>
  }

  export type OidcClient = {
    readonly clientId: string
    readonly clientAuthMethod: string
    readonly grantTypes: readonly string[]
    /** Extra metadata of the hub: the client's own limit for a refresh token, in seconds. */
    readonly refresh_seconds?: number | null
  }

  export type Token = {
    readonly kind: string
    readonly clientId: string
    readonly accountId?: string
    readonly grantId?: string
    readonly expiration: number
    readonly exp: number
    /** When the first token of a chain of rotated refresh tokens was issued. */
    readonly iiat?: number
    /** When the user logged in, in seconds since 1970. */
    readonly authTime?: number
    readonly isValid: boolean
    scope?: string | undefined
    resourceServer: unknown
    save(): Promise<string>
  }

  export type ResourceServerInfo = {
    readonly scope: string
    readonly audience: string
    readonly accessTokenFormat: 'jwt'
    readonly accessTokenTTL: number
    readonly jwt: { readonly sign: { readonly alg: string } }
  }

  export type JwtParts = {
    header: Readonly<Record<string, unknown>> | undefined
    payload: Readonly<Record<string, unknown>>
  }

  export type Adapter = {
    upsert(
      id: string,
      payload: Readonly<Record<string, unknown>>,
      expiresIn?: number,
    ): Promise<void>
    find(id: string): Promise<Readonly<Record<string, unknown>> | undefined>
    findByUid(uid: string): Promise<Readonly<Record<string, unknown>> | undefined>
    findByUserCode(code: string): Promise<Readonly<Record<string, unknown>> | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }

  export type OidcError = Error & {
    readonly error: string
    readonly statusCode: number
    error_description?: string
    readonly error_detail?: string
    /** The scopes that are refused. */
    readonly scope?: string
    /** Seconds to wait; set by the hub only. */
    readonly retryAfter?: number
  }

  type Grant = {
    readonly accountId?: string
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }

  type Make<Made> = new (input: Readonly<Record<string, unknown>>) => Made

  export class Provider {
    /** The context of the current request, available anywhere in its asynchronous call chain. */
    static readonly ctx: Context | undefined
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    callback(): (
      request: Readable & Pick<IncomingMessage, 'headers' | 'method' | 'url' | 'socket'>,
      response: ServerResponse,
    ) => Promise<void>
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): this
    on(event: 'grant.success', listener: (ctx: Context) => void): this
    on(event: 'grant.error', listener: (ctx: Context, error: OidcError) => void): this
    on(event: 'error', listener: (error: unknown) => void): this
    on(event: 'server_error', listener: (ctx: Context, error: unknown) => void): this
    registerGrantType(
      name: string,
      handler: (ctx: Context) => Promise<void>,
      parameters: readonly string[],
      repeatable?: readonly string[],
    ): void
    readonly Client: {
      readonly prototype: {
        compareClientSecret(this: OidcClient, secret: string): Promise<boolean>
      }
    }
    readonly AccessToken: Make<Token>
    readonly RefreshToken: Make<Token> & { find(value: string): Promise<Token | undefined> }
    readonly Grant: Make<Grant> & { find(id: string): Promise<Grant | undefined> }
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    /**
     * Stores the result of an interaction. Returns the URL at which the authorization continues.
     */
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
    ): Promise<string>
    readonly IdToken: new (
      claims: Readonly<Record<string, unknown>>,
      context: { readonly ctx: Context },
    ) => {
      scope: string
      set(name: string, value: unknown): void
      issue(options: { use: 'idtoken' }): Promise<string>
    }
    readonly ResourceServer: new (identifier: string, info: ResourceServerInfo) => object
  }

  type Verdict = { readonly verdict: unique symbol }
  type Check = { readonly reason: string }

  export const interactionPolicy: {
    readonly base: () => {
      get(name: string): { readonly checks: { add(check: Check): void } }
      remove(name: string): void
    }
    readonly Check: {
      new (reason: string, description: string, check: (ctx: Context) => Verdict): Check
      readonly REQUEST_PROMPT: Verdict
      readonly NO_NEED_TO_PROMPT: Verdict
    }
  }

  export const errors: {
    readonly SessionNotFound: new (detail?: string) => OidcError
    readonly OIDCProviderError: new (status: number, error: string, detail?: string) => OidcError
  }
  export type { JWK }
}
