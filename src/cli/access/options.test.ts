import { describe, expect, it } from 'vitest'
import { parseList, parseStream, parseStreams, printRows } from '../terminal.ts'
import { assertUsable, noSuch, toChangedClient, toNewClient } from '../../admin/index.ts'
import {
  parseClientId,
  parseClientRoles,
  parseGrantTypes,
  parsePathPattern,
  parseSeconds,
  parseUserName,
} from './options.ts'

describe('An option', () => {
  it.each([
    [parseList, ' A, B,,A', ['A', 'B']],
    [parseList, '', []],
    [parseGrantTypes, 'password,refresh_token', ['password', 'refresh_token']],
    [parseClientRoles, 'hub=A,B', { hub: ['A', 'B'] }],
    [parseSeconds, '60', 60],
    [parseClientId, 'a-client_1', 'a-client_1'],
    [parseUserName, 'Ada Lovelace', 'Ada Lovelace'],
    [parsePathPattern, '/a/b', '/a/b'],
    [parsePathPattern, '/a/*', '/a/*'],
    [parsePathPattern, '/*', '/*'],
    [parseStream, '/a/b', 'a/b'],
    [parseStreams, '/a/b', 'a/b'],
    [parseStreams, 'a/*', 'a/*'],
  ])('is read by %o: %s', (parse, text, value) => {
    expect(parse(text)).toEqual(value)
  })

  it.each([
    [parseGrantTypes, 'pasword', 'Did you mean password?'],
    [parseGrantTypes, 'implicit', 'Expected client_credentials'],
    [parseClientRoles, 'A', 'Write it as <client>=<role>'],
    [parseSeconds, '0', 'whole number'],
    [parseClientId, 'two words', 'without spaces'],
    [parseUserName, ' ada', 'without a space at either end'],
    [parseUserName, 'a\u001b[2J', '1 to 200 characters'],
    [parsePathPattern, 'a/b', '/<provider>/<dataset>'],
    [parsePathPattern, '/a/b/c', '/<provider>/<dataset>'],
    [parsePathPattern, '/a*/b', '/<provider>/<dataset>'],
    [parseStream, 'a/*', 'one stream'],
    [parseStream, '//a/b', 'one stream'],
    [parseStreams, '*', 'provider/*'],
  ])('is refused by %o: %j', (parse, text, words) => {
    expect(() => parse(text)).toThrow(words)
  })
})

describe('A new client', () => {
  const hash = 'hash'
  it.each([
    ['with a secret, asks for itself', { hash }, {}, ['client_credentials']],
    ['that is public, logs users in', {}, {}, ['password', 'refresh_token']],
    [
      'with an address to return to, uses the browser',
      { hash },
      { redirectUris: ['https://a.example/x'] },
      ['authorization_code', 'refresh_token'],
    ],
    ['does as it is told', { hash }, { grantTypes: ['password'] }, ['password']],
  ])('%s', (_, { hash: secretHash }: { hash?: string }, change, grants) => {
    const client = toNewClient({ id: 'a', hash: secretHash, change })
    expect(client).toMatchObject({ grantTypes: grants, scopeRoles: null })
    expect(() => {
      assertUsable(client)
    }).not.toThrow()
  })

  it('keeps the options that a change does not name', () => {
    const options = { scopeRoles: ['A'], refreshSeconds: 60, clientRoles: { hub: ['B'] } }
    const client = toNewClient({ id: 'a', hash: 'h', change: options })
    expect(toChangedClient(client, {})).toEqual(client)
    expect(toChangedClient(client, { enabled: false }).enabled).toBe(false)
    const free = toChangedClient(client, { scopeRoles: null, refreshSeconds: null })
    expect(free).toMatchObject({ scopeRoles: null, refreshSeconds: null })
  })

  it.each([
    [{ grantTypes: ['authorization_code'] }, 'needs a redirect URI'],
    [{ redirectUris: ['/x'] }, 'is not a URL'],
    [{ redirectUris: ['https://a.example/#x'] }, 'fragment'],
    [{ redirectUris: ['https://a.example/*'] }, 'wildcards'],
    [{ redirectUris: ['javascript:alert(1)'] }, 'not allowed'],
    [{ redirectUris: ['https://a.example/', 'app.example:/x'] }, 'either a web site or an app'],
    [{ public: true, grantTypes: ['client_credentials'] }, 'A public client has no secret'],
  ] as const)('that could never work is refused: %j', (options, words) => {
    const hash = 'public' in options ? undefined : 'h'
    expect(() => {
      assertUsable(toNewClient({ id: 'a', hash, change: options }))
    }).toThrow(words)
  })
})

describe('A list', () => {
  const printed = (rows: Parameters<typeof printRows>[1], json?: true) => {
    const lines: string[] = []
    const options = json === undefined ? {} : { json }
    printRows({ print: (line) => lines.push(line) }, rows, options)
    return lines
  }

  it('has columns for people, without terminal control characters', () => {
    const rows = [
      { name: 'a\u001b[2J', roles: ['A', 'B'], email: null },
      { name: 'bobby', roles: [], email: 'x' },
    ]
    expect(printed(rows)).toEqual(['name   roles  email', 'a?[2J  A,B    -', 'bobby  -      x'])
    expect(printed([])).toEqual(['(none)'])
  })

  it('is one JSON array for programs', () => {
    const rows = [{ name: 'a', roles: ['A'], email: null }]
    expect(JSON.parse(printed(rows, true).join('\n'))).toEqual(rows)
    expect(printed([], true)).toEqual(['[]'])
  })

  it('of known names is part of the error for an unknown name', () => {
    const tell = (name: string, known: readonly string[]) =>
      noSuch({ kind: 'client', name, known }).message
    expect(tell('lodaer', ['loader', 'other'])).toContain('Did you mean loader?')
    expect(tell('xyz', ['loader', 'other'])).toContain('Known: loader, other.')
    expect(tell('xyz', [])).toContain('There are none yet.')
    expect(noSuch({ kind: 'client', name: 'x', known: [] }).code).toBe('HUB-ACC-005')
    const many = Array.from({ length: 30 }, (_, n) => `name ${String(n)}`)
    expect(tell('xyz', many)).toContain('and 10 more')
  })
})
