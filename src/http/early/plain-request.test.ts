import fc from 'fast-check'
import { createServer } from 'node:http'
import { duplexPair } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { readPlainRequest } from './plain-request.ts'

const plain = (lines: readonly string[], path = '/a/b') =>
  Buffer.from([`GET ${path} HTTP/1.1`, 'Host: hub.test', ...lines, '', ''].join('\r\n'), 'latin1')

describe('readPlainRequest', () => {
  it('reads path and headers', () => {
    const lines = [
      'User-Agent: curl/8',
      'Accept: */*',
      'If-None-Match: "a", W/"b"',
      'Connection: Keep-Alive',
    ]
    expect(readPlainRequest(plain(lines, '/traffic/v1/x_y/a-b.xml'))).toEqual({
      path: '/traffic/v1/x_y/a-b.xml',
      headers: {
        host: 'hub.test',
        'user-agent': 'curl/8',
        accept: '*/*',
        'if-none-match': '"a", W/"b"',
        connection: 'Keep-Alive',
      },
    })
  })

  it.each([
    '/a/',
    '/a?b=c',
    '/a?',
    '/a/%62',
    '/',
    '//a',
    '/a/../b',
    '/./a',
    '*',
    'http://hub.test/a',
    '/ä',
    '/a#b',
  ])('leaves the path %s to HTTP', (path) => {
    expect(readPlainRequest(plain([], path))).toBeUndefined()
  })

  it.each([
    'Authorization: Bearer x',
    'Range: bytes=0-9',
    'If-Range: "a"',
    'If-Match: "a"',
    'Prefer: handling=strict',
    'Content-Length: 5',
    'Transfer-Encoding: chunked',
    'Expect: 100-continue',
    'Upgrade: h2c',
    'Connection: close',
    'Connection: keep-alive, Upgrade',
    'Trailer: x',
    'X-Anything: 1',
    'Host: other.test',
    '__proto__: 1',
    'Accept:*/*',
    'Accept : */*',
    'Accept: */*\r\n continued',
    'Accept: */* ',
    'Accept: ',
    'Accept: \t*/*',
    'Accept: é',
    'Accept: */*\r\nAccept: text/xml',
    'Accept: a\nAuthorization: b',
    'Accept: a\rb',
    'no header',
  ])('leaves %j to HTTP', (line) => {
    expect(readPlainRequest(plain([line]))).toBeUndefined()
  })

  it.each([
    ['another method', 'HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another version', 'GET /a HTTP/1.0\r\nHost: x\r\n\r\n'],
    ['no host', 'GET /a HTTP/1.1\r\nAccept: */*\r\n\r\n'],
    ['half a request', 'GET /a HTTP/1.1\r\nHost: x\r\n'],
    ['two requests', 'GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['something behind it', 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n{}'],
    ['an empty line before it', '\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['line feeds alone', 'GET /a HTTP/1.1\nHost: x\n\n'],
    [
      'a text that is too long',
      `GET /a HTTP/1.1\r\nHost: x\r\nAccept: ${'x'.repeat(4096)}\r\n\r\n`,
    ],
    ['nothing', ''],
  ])('leaves %s to HTTP', (_name, text) => {
    expect(readPlainRequest(Buffer.from(text))).toBeUndefined()
  })

  it('reads nothing otherwise than Node does', async () => {
    const pieces = fc.constantFrom(
      ...[
        'GET ',
        'HEAD ',
        '/a',
        '/b.c',
        '?x',
        '%41',
        ' ',
        ' HTTP/1.1',
        ' HTTP/1.0',
        '\r\n',
        '\r\n',
        '\n',
        '\r',
      ],
      ...[
        'Host: x',
        'Host:',
        'Accept: */*',
        'accept',
        ': ',
        ':',
        'If-None-Match: "a"',
        'Content-Length: 3',
      ],
      ...[
        'Transfer-Encoding: chunked',
        'Connection: close',
        'connection: keep-alive',
        '\t',
        '\0',
        'é',
        '"',
        ',',
      ],
    )
    const line = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom(
          'Host: x\r\n',
          'Accept: a\r\n',
          'accept: b\r\n',
          'DNT: 1\r\n',
          'If-None-Match: *\r\n',
        ),
      },
      {
        weight: 1,
        arbitrary: fc.array(pieces, { maxLength: 3 }).map((some) => `${some.join('')}\r\n`),
      },
    )
    const request = fc
      .tuple(
        fc.constantFrom('GET /a/b HTTP/1.1\r\n', 'GET /a HTTP/1.1\r\n'),
        fc.array(line, { maxLength: 4 }),
      )
      .map(([start, lines]) => `${start}${lines.join('')}\r\n`)
    const text = fc.oneof(
      request,
      fc.array(fc.oneof(request, pieces), { maxLength: 3 }).map((some) => some.join('')),
    )
    let read = 0
    await fc.assert(
      fc.asyncProperty(text, async (written) => {
        const bytes = Buffer.from(written, 'latin1')
        const ours = readPlainRequest(bytes)
        if (ours === undefined) return
        read += 1
        expect(await readByNode(bytes)).toEqual([{ method: 'GET', ...ours }])
      }),
      { numRuns: 3000 },
    )
    expect(read).toBeGreaterThan(100)
  })
})

/** All requests that Node's server makes of these bytes, and then of another one, which is left out. */
async function readByNode(bytes: Buffer) {
  const seen: object[] = []
  const server = createServer(({ method, url: path, headers }, response) => {
    seen.push({ method, path, headers: { ...headers } })
    response.end()
  })
  const [ours, theirs] = duplexPair()
  server.emit('connection', theirs)
  ours.resume()
  ours.write(bytes)
  ours.write('GET /last HTTP/1.1\r\nHost: last\r\n\r\n')
  for (let turns = 0; turns < 50 && !isLast(seen.at(-1)); turns++) await turn()
  ours.destroy()
  server.close()
  const last = seen.pop()
  expect(last).toMatchObject({ path: '/last' })
  return seen
}

function isLast(request: object | undefined): boolean {
  return request !== undefined && 'path' in request && request.path === '/last'
}
