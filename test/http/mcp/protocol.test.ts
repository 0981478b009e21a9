import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, objectsOf, parseObject } from '../../../src/lang/json.ts'
import type { Members } from '../../../src/lang/json.ts'
import { tools } from '../../../src/mcp/serve-messages.ts'
import { bearer } from '../../fixtures/composed-hub.ts'
import { describeOnEngines } from '../../fixtures/databases.ts'
import { message, openMcpHub } from '../../fixtures/mcp-hub.ts'
import type { McpHub } from '../../fixtures/mcp-hub.ts'

const ping = message('ping')

describeOnEngines('The protocol at /mcp', (engine) => {
  let mcp: McpHub
  beforeAll(async () => {
    mcp = await openMcpHub(engine, 0, { HUB_MCP_ORIGINS: 'https://assistant.example' })
  })
  afterAll(() => mcp.close())

  it('agrees on a version, which is that of the client if supported', async () => {
    const agreed = async (protocolVersion: string) => {
      const client = { name: 'test', version: '1' }
      const params = { protocolVersion, capabilities: {}, clientInfo: client }
      const { body, headers } = await mcp.post(message('initialize', params))
      expect(headers).not.toHaveProperty('mcp-session-id')
      return fieldsOf(parseObject(body)['result'])
    }
    expect(await agreed('2025-06-18')).toMatchObject({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'hub', title: 'Hub' },
    })
    expect(await agreed('1999-01-01')).toMatchObject({ protocolVersion: '2025-11-25' })
    const old = await mcp.post(ping, { 'mcp-protocol-version': '1999-01-01' })
    expect(old.statusCode).toBe(400)
    expect(old.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } })
  })

  it('requires no session for a message', async () => {
    const answer = await mcp.post(ping)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    })
    expect(answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    expect(
      (await mcp.post({ jsonrpc: '2.0', method: 'notifications/initialized' })).statusCode,
    ).toBe(202)
  })

  it('responds to a batch with a batch, and refuses one that is too large', async () => {
    const batch = [
      ping,
      { ...message('tools/list'), id: 2 },
      { ...message('nothing'), id: 'three' },
    ]
    const answers = objectsOf((await mcp.post(batch)).json())
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 'three'])
    expect(answers[2]).toMatchObject({ error: { code: -32_601 } })
    const many = Array.from({ length: 101 }, (_, id) => ({ ...ping, id }))
    expect((await mcp.post(many)).statusCode).toBe(400)
  })

  it.each(['GET', 'DELETE', 'PUT', 'HEAD'] as const)('refuses %s', async (method) => {
    const { statusCode, headers } = await mcp.hub.ask({ method, url: '/mcp' })
    expect(statusCode).toBe(405)
    expect(headers.allow).toContain('POST')
  })

  it('responds to a preflight', async () => {
    const asked = { origin: 'https://assistant.example', 'access-control-request-method': 'POST' }
    const { statusCode, headers } = await mcp.hub.ask({
      method: 'OPTIONS',
      url: '/mcp',
      headers: asked,
    })
    expect(statusCode).toBe(204)
    expect(headers['access-control-allow-methods']).toContain('POST')
  })

  it.each([
    ['no JSON', '{x', {}, 400, -32_700],
    ['nothing', '', {}, 400, -32_700],
    ['no message', '{"a":1}', {}, 400, -32_700],
    ['another media type', '<a/>', { 'content-type': 'text/xml' }, 415, -32_600],
    ['too much', JSON.stringify('x'.repeat(1_100_000)), {}, 413, -32_600],
    [
      'a token that does not count',
      JSON.stringify(ping),
      { authorization: 'Bearer x.y.z' },
      401,
      -32_600,
    ],
    ['a page of elsewhere', JSON.stringify(ping), { origin: 'https://evil.example' }, 403, -32_600],
    ['a page of nowhere', JSON.stringify(ping), { origin: 'null' }, 403, -32_600],
    ['an empty origin', JSON.stringify(ping), { origin: '' }, 403, -32_600],
    [
      'a page of another program of the machine',
      JSON.stringify(ping),
      { origin: 'http://localhost:6274', host: 'localhost:8080' },
      403,
      -32_600,
    ],
    [
      'a page that has given the hub a name of its own',
      JSON.stringify(ping),
      { origin: 'http://evil.example', host: 'evil.example' },
      403,
      -32_600,
    ],
  ])('refuses %s with a JSON-RPC error', async (_, body, headers, status, code) => {
    const answer = await mcp.post(body, headers)
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } })
  })

  it.each([
    'http://hub.test',
    'https://assistant.example',
    'vscode-file://vscode-app',
    'chrome-extension://abcdefghijklmnop',
  ])('accepts messages from pages at %s', async (origin) => {
    expect((await mcp.post(ping, { origin })).statusCode).toBe(200)
  })

  it.each(['localhost:8080', '127.0.0.1:8080', '[::1]:8080'])(
    'accepts messages from its own pages at %s',
    async (host) => {
      expect((await mcp.post(ping, { host, origin: `http://${host}` })).statusCode).toBe(200)
    },
  )

  it('describes the resource whose URL was requested (RFC 9728 section 3.3)', async () => {
    const known = '/.well-known/oauth-protected-resource'
    expect(await mcp.read(`${known}/mcp`)).toMatchObject({ resource: 'http://hub.test/mcp' })
    expect(await mcp.read(known)).toMatchObject({ resource: 'http://hub.test' })
  })

  it('refers clients to the server that issues tokens', async () => {
    const { headers } = await mcp.post(ping, { authorization: 'Bearer x.y.z' })
    const [, address = ''] =
      /resource_metadata="([^"]*)"/.exec(String(headers['www-authenticate'])) ?? []
    expect(address).toBe('http://hub.test/.well-known/oauth-protected-resource/mcp')
    expect(await mcp.read(address.replace('http://hub.test', ''))).toMatchObject({
      resource: 'http://hub.test/mcp',
      authorization_servers: ['https://identity.test/realms/hub'],
      bearer_methods_supported: ['header'],
    })
    expect((await mcp.post(ping, await bearer([]))).statusCode).toBe(200)
  })

  it('provides the pages of the documentation and the catalogue as resources', async () => {
    const client = await mcp.connect()
    const { resources } = await client.listResources()
    const uris = resources.map(({ uri }) => uri)
    expect(uris).toEqual(expect.arrayContaining(['hub://catalogue', 'hub://docs/time-series']))
    for (const uri of [...uris, 'hub://catalogue/content/Event']) {
      const { contents } = await client.readResource({ uri })
      expect(JSON.stringify(contents).length).toBeGreaterThan(100)
    }
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'hub://catalogue/{service}/{type}',
    ])
    for (const uri of [
      'hub://docs/../package',
      'hub://docs/none',
      'hub://catalogue/content/None',
      'x',
    ]) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_002 })
    }
    await expect(client.callTool({ name: 'none' })).rejects.toMatchObject({ code: -32_602 })
  })

  it.each([
    ['tools/call', {}, -32_602],
    ['tools/call', { name: 5 }, -32_602],
    ['tools/call', { name: 'search_datasets', arguments: 'x' }, -32_602],
    ['resources/read', { uri: 5 }, -32_602],
    ['tools/list', { cursor: 5 }, -32_602],
    ['resources/list', { cursor: {} }, -32_602],
    ['resources/templates/list', { cursor: [] }, -32_602],
    ['resources/read', { uri: 'hub://catalogue/content/%zz' }, -32_002],
  ])('reports wrong parameters as such: %s %j', async (method, params, code) => {
    const answer = await mcp.post(message(method, params))
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { error: { code } }])
  })

  describe('with random arguments', () => {
    const names = fc.constantFrom(...tools.map(({ listed }) => listed.name))

    const unknown = fc.object({ maxDepth: 2 }).filter((given) => JSON.stringify(given) !== '{}')

    it('returns a tool error, never a server error', async () => {
      await fc.assert(
        fc.asyncProperty(names, unknown, async (name, given) => {
          const answer = await mcp.post(message('tools/call', { name, arguments: given }))
          expect(answer.statusCode).toBe(200)
          expect(answer.json()).toMatchObject({ result: { isError: true } })
        }),
        { numRuns: 100 },
      )
    })

    it('of the right types, returns a result or a client error', async () => {
      await fc.assert(
        fc.asyncProperty(names, givenBySchema, async (name, make) => {
          const tool = tools.find(({ listed }) => listed.name === name)
          const given = make(fieldsOf(tool?.listed.inputSchema['properties']))
          const answer = await mcp.post(message('tools/call', { name, arguments: given }))
          expect(answer.statusCode).toBe(200)
          const { result } = answer.json<Members>()
          const { content, isError } = fieldsOf(result)
          const text = parseObject(String(objectsOf(content)[0]?.['text']))
          if (isError === true) expect(Number(text['status'])).toBeLessThan(500)
          else expect(text).toHaveProperty('request')
        }),
        { numRuns: 200 },
      )
    })
  })
})

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    'Event',
    'content/Accommodation',
    'ParkingStation',
    'Detail.en.Title',
    'Tags.[*].Id',
    "a'b",
    '*',
    '-x',
    '2026-11-20',
    '5',
  ),
)

/** Generates arguments of the types in a schema from random values. */
const givenBySchema = fc
  .infiniteStream(
    fc.record({
      isThere: fc.boolean(),
      text: texts,
      number: fc.integer({ min: 1, max: 50 }),
      key: texts,
    }),
  )
  .map((stream) => (properties: Members): Members => {
    const entries = Object.entries(properties).flatMap(([name, schema]) => {
      const { value } = stream.next()
      const { type, enum: allowed, required } = fieldsOf(schema)
      if (!value.isThere && required === undefined && name !== 'dataset') return []
      const { text, number, key } = value
      if (Array.isArray(allowed)) return [[name, allowed[number % allowed.length]] as const]
      if (type === 'integer' || type === 'number') return [[name, number] as const]
      if (type === 'array') return [[name, [text, key]] as const]
      if (type === 'object') return [[name, { [key]: text }] as const]
      return [[name, text] as const]
    })
    return Object.fromEntries(entries)
  })

describeOnEngines('Quotas of assistants', (engine) => {
  let mcp: McpHub
  beforeAll(async () => {
    mcp = await openMcpHub(engine, 0, { HUB_QUOTA: 'on' })
  })
  afterAll(() => mcp.close())

  it('apply per caller to the requests that tools make', async () => {
    const count = (headers?: Readonly<Record<string, string>>) =>
      Promise.all(
        Array.from({ length: 30 }, () => mcp.call('search_datasets', { query: 'hotel' }, headers)),
      )
    const refused = (await count()).filter(({ isError }) => isError)
    expect(refused.length).toBeGreaterThanOrEqual(10)
    expect(refused[0]?.data).toMatchObject({
      status: 429,
      code: 'HUB-QTA-002',
      detail: expect.stringContaining('10 requests in a second'),
      retryAfter: 1,
    })
    expect((await count(await bearer([]))).filter(({ isError }) => isError)).toEqual([])
  })
})
