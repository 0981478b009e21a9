import { Provider } from 'oidc-provider'
import type { Context, OidcClient } from 'oidc-provider'
import { addressOf } from './pass-on.ts'
import { passwordGrant, passwordParameters } from './password-grant.ts'
import { configureProvider } from './provider-configuration.ts'
import type { ProviderDeps } from './provider-configuration.ts'
import type { SigningKeys } from './store-keys.ts'
import { toTokenAnswer } from './token-answer.ts'
import { retryAfter, toKeycloakError } from './token-error.ts'

/** The certified OpenID provider, set up to speak like Keycloak. Keeps nothing in memory. */
export function makeProvider(deps: ProviderDeps, signing: SigningKeys): Provider {
  const { issuer, accounts, audience } = deps
  const provider = new Provider(issuer, configureProvider(deps, signing))
  provider.use(pinOrigin(issuer))
  provider.registerGrantType(
    'password',
    passwordGrant({ provider, accounts, audience }),
    passwordParameters,
  )
  provider.Client.prototype.compareClientSecret = async function (this: OidcClient, secret) {
    const client = await accounts.findClient(this.clientId)
    const address = addressOf(Provider.ctx?.req ?? {})
    return client !== undefined && (await accounts.checkClientSecret(client, { secret, address }))
  }
  provider.on('grant.success', (ctx) => {
    ctx.body = toTokenAnswer(ctx)
  })
  provider.on('grant.error', (ctx, error) => {
    const seconds = retryAfter(error)
    if (seconds !== undefined) ctx.set('retry-after', seconds)
    const known = toKeycloakError(ctx, error)
    if (known === undefined) return
    ctx.status = known.status
    ctx.body = { error: known.error, error_description: known.description }
  })
  provider.on('server_error', (_, error) => {
    deps.onError(error)
  })
  // What breaks outside of its routes, such as a connection; Koa would print it.
  provider.on('error', deps.onError)
  return provider
}

/** Links name the public address, whatever a proxy in between made of the Host header. */
function pinOrigin(issuer: string) {
  const { host, protocol } = new URL(issuer)
  return async ({ request }: Context, next: () => Promise<void>) => {
    Object.defineProperties(request, {
      host: { value: host },
      protocol: { value: protocol.slice(0, -1) },
    })
    await next()
  }
}
