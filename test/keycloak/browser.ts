import { CALLBACK, users } from './accounts.ts'
import type { TokenProvider } from './provider.ts'

const steps = 10

/**
 * Acts as a browser for one login: keeps cookies, follows redirects and fills in the login form.
 */
export async function authorize(
  { issuer }: TokenProvider,
  { challenge }: { readonly challenge: string },
): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'browser',
    redirect_uri: CALLBACK,
    scope: 'openid',
    state: 'kept',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const ended = await follow(`${issuer}/protocol/openid-connect/auth?${query.toString()}`)
  const code = ended.searchParams.get('code')
  if (code !== null && ended.searchParams.get('state') === 'kept') return code
  throw new Error(`The login ended at ${ended.href}`)
}

type Step = { readonly address: URL; readonly form?: URLSearchParams }

async function follow(start: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let step: Step = { address: new URL(start) }
  for (let count = 0; count < steps; count++) {
    if (step.address.href.startsWith(CALLBACK)) return step.address
    step = await take(step, cookies)
  }
  throw new Error(`The login goes in circles, last at ${step.address.href}`)
}

async function take({ address, form }: Step, cookies: Map<string, string>): Promise<Step> {
  const response = await fetch(address, {
    redirect: 'manual',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    ...(form === undefined ? {} : { method: 'POST', body: form }),
  })
  for (const cookie of response.headers.getSetCookie()) {
    const { name = '', value = '' } = /^(?<name>[^=]+)=(?<value>[^;]*)/.exec(cookie)?.groups ?? {}
    cookies.set(name, value)
  }
  const location = response.headers.get('location')
  if (location !== null) return { address: new URL(location, address) }
  return fillIn(await response.text(), address)
}

/**
 * Fills the name and password of the first user into the first form of the page that has a password
 * field.
 */
function fillIn(page: string, address: URL): Step {
  const forms = page.match(/<form[\s\S]*?<\/form>/gi) ?? []
  const login = forms.find((form) => /type="?password/i.test(form))
  if (login === undefined) throw new Error(`${address.href} shows no login form:\n${page}`)
  const [user] = users
  const form = new URLSearchParams()
  for (const [input] of login.matchAll(/<input[^>]*>/gi)) {
    const name = attribute(input, 'name')
    const kind = attribute(input, 'type') ?? 'text'
    if (name === undefined || kind === 'checkbox') continue
    const typed = { password: user?.password, text: user?.username, email: user?.username }[kind]
    form.set(name, typed ?? attribute(input, 'value') ?? '')
  }
  return { address: new URL(attribute(login, 'action') ?? '', address), form }
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}=(?:"(?<quoted>[^"]*)"|(?<bare>[^\\s>]+))`, 'i').exec(tag)
  const value = found?.groups?.['quoted'] ?? found?.groups?.['bare']
  return value?.replaceAll('&amp;', '&')
}
