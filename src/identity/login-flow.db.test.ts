import * as client from 'openid-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../../test/fixtures/browser.ts'
import type { Browser } from '../../test/fixtures/browser.ts'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import {
  endpoints,
  issuer,
  post,
  startTokenService,
  storeAccounts,
} from '../../test/fixtures/token-service.ts'
import type { TokenService } from '../../test/fixtures/token-service.ts'
import { sql } from '../sql/index.ts'

const callback = 'https://site.example/callback'
const ada = { username: 'Ada', password: 'lovelace', action: 'login' }

describeWithDatabase('Logging in with a browser', (database) => {
  let service: TokenService
  let config: client.Configuration
  beforeAll(async () => {
    await storeAccounts(database())
    await database().execute(sql`
      insert into identity_client (client_id, secret_hash, grant_types, redirect_uris, logout_uris)
      values ('portal', null, '{authorization_code,refresh_token}', ${[callback]},
        '{https://site.example/bye}')`)
    service = await startTokenService(database())
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 })
    const fetchInside: client.CustomFetch = (url, options) =>
      fetch(url.replace(new URL(issuer).origin, address), {
        ...options,
        body: options.body ?? null,
      })
    config = await client.discovery(new URL(issuer), 'portal', undefined, client.None(), {
      [client.customFetch]: fetchInside,
    })
  })
  afterAll(() => service.app.close())

  const begin = async (parameters: Readonly<Record<string, string>> = {}) => {
    const verifier = client.randomPKCECodeVerifier()
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid email',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: 'a-state',
      ...parameters,
    })
    return { url, checks: { pkceCodeVerifier: verifier, expectedState: 'a-state' } }
  }
  const logIn = async (browser: Browser = openBrowser(service.app)) => {
    const { url, checks } = await begin()
    const page = await browser.visit(url)
    const end = page.url.startsWith(callback) ? page : await browser.submit(page, ada)
    const tokens = await client.authorizationCodeGrant(config, new URL(end.url), checks)
    return { browser, tokens, end }
  }
  const told = async (token: string | undefined) => (await service.verifyToken(token ?? '')).kind

  it('issues tokens to a certified client by code and PKCE, without any script', async () => {
    const browser = openBrowser(service.app)
    const { url, checks } = await begin({ login_hint: 'ada <x>' })
    const page = await browser.visit(url)
    expect(page.status).toBe(200)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers['content-security-policy']).toMatch(
      `form-action 'self' ${new URL(callback).origin}`,
    )
    expect(page.body).not.toMatch(/<script|https?:\/\//)
    for (const words of ['<html lang="en">', '<label for="username">', '<strong>portal</strong>']) {
      expect(page.body).toContain(words)
    }
    expect(page.body).toContain('value="ada &#60;x&#62;"')
    const end = await browser.submit(page, ada)
    const tokens = await client.authorizationCodeGrant(config, new URL(end.url), checks)
    expect(tokens).toMatchObject({ expires_in: 300, refresh_expires_in: 7200 })
    expect(tokens.claims()).toMatchObject({ aud: 'portal', email: 'ada@example.org' })
    const verified = {
      principal: { client: 'portal', name: 'Ada', roles: new Set(['BDP_A22', 'ADMIN']) },
    }
    expect(await service.verifyToken(tokens.access_token)).toMatchObject(verified)
  })

  it('shows the page again after a wrong password, with an alert for screen readers', async () => {
    const browser = openBrowser(service.app)
    const page = await browser.visit((await begin()).url)
    const again = await browser.submit(page, { ...ada, password: 'x' })
    expect([again.status, again.url]).toEqual([400, page.url])
    expect(again.body).toContain('role="alert"')
    expect(again.body).toContain('value="Ada"')
    expect(again.body).not.toContain('lovelace')
    const gone = await browser.submit(again, { username: 'gone', password: 'gone' })
    expect(gone.body).toContain('disabled')
    const end = await browser.submit(gone, ada)
    expect(end.url).toContain(`${callback}?code=`)
  })

  it('notifies the client when it is cancelled', async () => {
    const browser = openBrowser(service.app)
    const page = await browser.visit((await begin()).url)
    const end = await browser.submit(page, { action: 'cancel' })
    expect(end.url).toContain(`${callback}?error=access_denied`)
  })

  it('accepts the form only from the browser that started the login', async () => {
    const page = await openBrowser(service.app).visit((await begin()).url)
    const other = openBrowser(service.app)
    expect(await other.submit(page, ada)).toMatchObject({ status: 400 })
    await other.visit((await begin()).url)
    expect((await other.submit(page, ada)).body).toContain('expired')
  })

  it('keeps two logins in one browser separate', async () => {
    const browser = openBrowser(service.app)
    const first = await browser.visit((await begin()).url)
    await browser.visit((await begin()).url)
    expect((await browser.submit(first, ada)).url).toContain(`${callback}?code=`)
  })

  it('requires PKCE and a registered redirect URI', async () => {
    const browser = openBrowser(service.app)
    const plain = await browser.visit(
      client.buildAuthorizationUrl(config, { redirect_uri: callback, scope: 'openid' }),
    )
    expect(plain.url).toContain('error=invalid_request')
    const evil = await begin({ redirect_uri: 'https://evil.example/callback' })
    expect(await browser.visit(evil.url)).toMatchObject({ status: 400, url: evil.url.href })
  })

  it('redirects to an app on this machine at any port', async () => {
    const registered = 'http://127.0.0.1/app'
    await database().execute(sql`
      insert into identity_client (client_id, grant_types, redirect_uris)
      values ('app', '{authorization_code}', ${[registered]})`)
    const app = { client_id: 'app', redirect_uri: 'http://127.0.0.1:49152/app' }
    const browser = openBrowser(service.app)
    const page = await browser.visit((await begin(app)).url)
    const end = await browser.submit(page, ada)
    expect(end.url).toContain('http://127.0.0.1:49152/app?code=')
    const other = { ...app, redirect_uri: 'http://127.0.0.1:49152/other' }
    expect(await browser.visit((await begin(other)).url)).toMatchObject({ status: 400 })
  })

  it('never prompts for consent, and refuses a client that requests it', async () => {
    const end = await openBrowser(service.app).visit((await begin({ prompt: 'consent' })).url)
    expect(end.url).toContain('error=invalid_request')
  })

  it('refuses a code without its verifier, and revokes tokens of a code used twice', async () => {
    const browser = openBrowser(service.app)
    const { url, checks } = await begin()
    const end = await browser.submit(await browser.visit(url), ada)
    const wrong = { ...checks, pkceCodeVerifier: client.randomPKCECodeVerifier() }
    const refused = { error: 'invalid_grant' }
    const ask = (with_: typeof checks) =>
      client.authorizationCodeGrant(config, new URL(end.url), with_)
    await expect(ask(wrong)).rejects.toMatchObject(refused)
    const { access_token: token } = await ask(checks)
    expect(await told(token)).toBe('verified')
    await expect(ask(checks)).rejects.toMatchObject(refused)
    expect(await told(token)).toBe('rejected')
  })

  it('is needed once per session, until the user logs out', async () => {
    const { browser, tokens, end } = await logIn()
    const again = await logIn(browser)
    expect(again.end.url).toContain('code=')
    const bye = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'https://site.example/bye',
    })
    const page = await browser.visit(bye)
    expect(page.body).toContain('Log out?')
    const left = await browser.submit(page, { logout: 'yes' })
    expect([left.url, end.status]).toEqual(['https://site.example/bye', 0])
    for (const { access_token, refresh_token } of [tokens, again.tokens]) {
      expect(await told(access_token)).toBe('rejected')
      const renewed = client.refreshTokenGrant(config, refresh_token ?? '')
      await expect(renewed).rejects.toMatchObject({ error: 'invalid_grant' })
    }
    const after = await browser.visit((await begin()).url)
    expect(after.body).toContain('Log in')
  })

  it('stores nothing that could be used as a token, a code or a cookie', async () => {
    const { browser, tokens, end } = await logIn()
    const page = await browser.visit((await begin({ prompt: 'login' })).url)
    expect(page.body).toContain('Log in')
    const [row] = await database().texts(
      sql`select string_agg(to_jsonb(identity_state)::text, chr(10)) from identity_state`,
    )
    const code = new URL(end.url).searchParams.get('code')
    for (const secret of [tokens.refresh_token, code, browser.cookie('_session')]) {
      expect(secret).toMatch(/^[\w-]{20,}$/)
      expect(row?.[0]).not.toContain(secret)
    }
    await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  })

  it('lasts as long as its tokens are renewed', async () => {
    const { tokens } = await logIn()
    await database().execute(sql`
      update identity_state set payload = jsonb_set(payload, '{exp}',
        to_jsonb(floor(extract(epoch from now()))::bigint + 5)) where model = 'Session'`)
    await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    const rows = await database().query<{ left: number }>(sql`
      select ((payload ->> 'exp')::float8 - extract(epoch from now()))::float8 as left
      from identity_state where model = 'Session' order by 1 desc`)
    expect(rows[0]?.left).toBeGreaterThan(7000)
  })

  it('can be ended by the client, with the refresh token', async () => {
    const { browser, tokens } = await logIn()
    const form = { client_id: 'portal', refresh_token: tokens.refresh_token ?? '' }
    const stranger = await post(service, { ...form, client_id: 'website' }, { path: 'logout' })
    expect([stranger.status, stranger.body['error']]).toEqual([400, 'invalid_grant'])
    expect((await post(service, form, { path: 'logout' })).status).toBe(204)
    expect(await told(tokens.access_token)).toBe('rejected')
    expect((await post(service, form, { path: 'logout' })).status).toBe(400)
    expect((await browser.visit((await begin()).url)).body).toContain('Log in')
  })

  it('can be ended by POST as well as by GET', async () => {
    const form = { client_id: 'portal', post_logout_redirect_uri: 'https://site.example/bye' }
    const { status, headers } = await post(service, form, { path: 'logout' })
    expect([status, headers['location']]).toEqual([
      303,
      `${endpoints}/logout?${new URLSearchParams(form).toString()}`,
    ])
  })

  it('caused no internal error in the tests above', () => {
    expect(service.failures).toEqual([])
  })
})
