import { interactionPolicy } from 'oidc-provider'
import type { Context } from 'oidc-provider'
import { paths } from './paths.ts'
import { HUB } from './resource-server.ts'
import { scopes } from './token-claims.ts'

/** When a browser is shown the login page, and where that is. */
export function loginInteractions(issuer: string) {
  const { Check, base } = interactionPolicy
  const policy = base()
  // The operator registers the clients; there is nothing to ask people about them.
  policy.remove('consent')
  policy
    .get('login')
    .checks.add(
      new Check('no_account', 'The account is gone or disabled', ({ oidc }) =>
        oidc.session.accountId !== undefined && oidc.account === undefined
          ? Check.REQUEST_PROMPT
          : Check.NO_NEED_TO_PROMPT,
      ),
    )
  return {
    policy,
    url: (_: Context, { uid }: { readonly uid: string }) => `${issuer}${paths.login}/${uid}`,
  }
}

/**
 * What the client may have of the person who is logged in: all that it asks for, once per session,
 * so that logging out ends it all.
 */
export async function implyConsent({ oidc }: Context): Promise<object | undefined> {
  const { account, client, provider, session } = oidc
  if (account === undefined) return undefined
  const known = session.grantIdFor(client.clientId)
  const found = known === undefined ? undefined : await provider.Grant.find(known)
  const grant =
    found?.accountId === account.accountId
      ? found
      : new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  grant.addOIDCScope(scopes.join(' '))
  grant.addResourceScope(HUB, scopes.join(' '))
  await grant.save()
  return grant
}
