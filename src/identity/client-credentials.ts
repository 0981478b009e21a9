import type { Client } from './account.ts'
import type { Accounts } from './accounts.ts'
import { tokenError } from './token-error.ts'

type Credentials = { readonly clientId: string; readonly secret: string }

/**
 * Who a client says it is, by HTTP Basic or in the form (RFC 6749, section 2.3.1), for the endpoints
 * that are not oidc-provider's.
 */
export function readCredentials(
  authorization: string | undefined,
  form: URLSearchParams,
): Credentials | undefined {
  const basic = /^basic +(?<coded>[A-Za-z0-9+/]+=*) *$/i.exec(authorization ?? '')
  const coded = basic?.groups?.['coded']
  if (coded !== undefined) return readBasic(Buffer.from(coded, 'base64').toString())
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
  return clientId === null || secret === null ? undefined : { clientId, secret }
}

type Headers = { readonly authorization?: string | undefined }

/** Whether a client means to prove itself by HTTP Basic, well or badly. */
export function isBasic({ authorization = '' }: Headers): boolean {
  return /^basic( |$)/i.test(authorization)
}

/** The bearer token of a request. */
export function bearerOf(headers: Headers) {
  return /^bearer +(?<token>\S+) *$/i.exec(headers.authorization ?? '')?.groups?.['token']
}

/** The client, when its secret is right. */
export async function authenticateClient(
  {
    credentials,
    address,
  }: { readonly credentials: Credentials | undefined; readonly address: string },
  accounts: Accounts,
): Promise<Client | undefined> {
  if (credentials === undefined) return undefined
  const client = await accounts.findClient(credentials.clientId)
  if (client === undefined) return undefined
  const { secret } = credentials
  return (await accounts.checkClientSecret(client, { secret, address })) ? client : undefined
}

type Asking = {
  readonly authorization: string | undefined
  readonly form: URLSearchParams
  readonly address: string
}

/**
 * The client that asks: by its secret, or by its name alone when it has none.
 * @throws token error 401
 */
export async function requireClient(
  { authorization, form, address }: Asking,
  accounts: Accounts,
): Promise<Client> {
  const credentials = readCredentials(authorization, form)
  const proved = await authenticateClient({ credentials, address }, accounts)
  if (proved !== undefined) return proved
  const named = form.get('client_id')
  const known = named === null ? undefined : await accounts.findClient(named)
  if (known?.secret === null) return known
  throw tokenError(401, 'invalid_client', 'Invalid client or Invalid client credentials')
}

/** Both parts are form-encoded before they are joined (RFC 6749, section 2.3.1). */
function readBasic(text: string): Credentials | undefined {
  const colon = text.indexOf(':')
  if (colon === -1) return undefined
  const [clientId, secret] = [text.slice(0, colon), text.slice(colon + 1)].map(formDecoded)
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret }
}

function formDecoded(text: string): string {
  return new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x') ?? ''
}
