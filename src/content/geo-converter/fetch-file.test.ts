import { once } from 'node:events'
import http, { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { internet } from '../../http/index.ts'
import type { Outside, Target } from '../../http/index.ts'
import { charsetOf, fetchFile } from './fetch-file.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => {
          resolve()
        })
      }),
  )
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/**
 * Returns an outside in which every host has one public address, and every connection leads to a
 * local server.
 */
function outsideOf(port: number, hosts: Readonly<Record<string, readonly string[]>> = {}) {
  const asked: Target[] = []
  const outside: Outside = {
    resolve: (hostname) => Promise.resolve(hosts[hostname] ?? ['93.184.216.34']),
    exchange: (target) => {
      asked.push(target)
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
      const { pathname, search, host } = target.url
      const options = { port, host: '127.0.0.1', path: `${pathname}${search}`, headers: { host } }
      http.get({ ...options, signal: target.signal }, resolve).on('error', reject)
      return promise
    },
  }
  return { outside, asked }
}

async function textOf(outside: Outside, url: string, signal = AbortSignal.timeout(5000)) {
  const parts: Uint8Array[] = []
  const { chunks, charset } = await fetchFile(outside, url, signal)
  for await (const chunk of chunks) parts.push(chunk)
  return { text: Buffer.concat(parts).toString(), charset }
}

describe('a file at a URL', () => {
  it('is fetched from the IP addresses that were checked, with its charset', async () => {
    const port = await serve((request, response) => {
      response.setHeader('content-type', 'text/xml; charset=ISO-8859-1')
      response.end(`${String(request.headers.host)}${String(request.url)}`)
    })
    const { outside, asked } = outsideOf(port, { 'files.test': ['8.8.8.8', '2606:4700::1'] })
    expect(await textOf(outside, 'https://files.test:8443/a.kml?b=c')).toEqual({
      text: 'files.test:8443/a.kml?b=c',
      charset: 'ISO-8859-1',
    })
    expect(asked[0]?.addresses).toEqual(['8.8.8.8', '2606:4700::1'])
  })

  it('is requested without resolving the host again', async () => {
    const port = await serve((request, response) => {
      response.end(JSON.stringify(request.headers))
    })
    const url = new URL(`http://no-such-host.invalid:${String(port)}/`)
    const signal = AbortSignal.timeout(5000)
    const response = await internet.exchange({ url, addresses: ['127.0.0.1'], signal })
    let text = ''
    for await (const chunk of response) text += String(chunk)
    expect(JSON.parse(text)).toMatchObject({
      host: `no-such-host.invalid:${String(port)}`,
      'accept-encoding': 'identity',
    })
  })

  it.each([
    'ftp://example.org/a',
    'file:///etc/passwd',
    'data:text/xml,<kml/>',
    'example.org/a.kml',
    '//example.org',
    '',
    'http://user@example.org/',
    'http://user:word@example.org/',
    'http://example.org:22/',
    'http://example.org:6379/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://127.0.0.1./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[fe80::1%25eth0]/',
    'http://[64:ff9b::7f00:1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://0/',
    'http://①②⑦.⓪.⓪.①/',
    'http://inside.test/',
    'http://mixed.test/',
  ])('is not fetched from %s', async (url) => {
    const hosts = { 'inside.test': ['10.1.2.3'], 'mixed.test': ['8.8.8.8', '127.0.0.1'] }
    const { outside, asked } = outsideOf(1, hosts)
    await expect(textOf(outside, url)).rejects.toMatchObject({ code: 'HUB-GEO-002', status: 400 })
    expect(asked).toEqual([])
  })

  it('is fetched through at most three redirects', async () => {
    const port = await serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('here')
      else response.writeHead(302, { location: `/${String(left - 1)}` }).end()
    })
    const { outside } = outsideOf(port)
    expect((await textOf(outside, 'http://example.org/3')).text).toBe('here')
    await expect(textOf(outside, 'http://example.org/4')).rejects.toMatchObject({
      code: 'HUB-GEO-003',
    })
  })

  it.each([
    'http://127.0.0.1/',
    'http://localhost.test/',
    'file:///etc/passwd',
    'http://a:b@example.org/',
    '//[::1]/',
    'http://example.org:25/',
  ])('is not fetched from a redirect to %s', async (location) => {
    const port = await serve((_request, response) => {
      response.writeHead(307, { location }).end()
    })
    const { outside, asked } = outsideOf(port, { 'localhost.test': ['127.0.0.1'] })
    await expect(textOf(outside, 'http://example.org/')).rejects.toMatchObject({
      code: 'HUB-GEO-002',
    })
    expect(asked).toHaveLength(1)
  })

  it('is reported as unavailable if it does not exist or its host does not respond', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(404).end()
    })
    const { outside } = outsideOf(port)
    await expect(textOf(outside, 'http://example.org/')).rejects.toMatchObject({
      code: 'HUB-GEO-003',
      status: 404,
      message: '"http://example.org/" responded with status 404.',
    })
    const unknown = { ...outside, resolve: () => Promise.reject(new Error('ENOTFOUND')) }
    await expect(textOf(unknown, 'http://example.org/')).rejects.toMatchObject({
      code: 'HUB-GEO-003',
    })
    const refused = { ...outside, exchange: () => Promise.reject(new Error('ECONNREFUSED')) }
    await expect(textOf(refused, 'http://example.org/')).rejects.toMatchObject({
      code: 'HUB-GEO-003',
    })
  })

  it('is reported as too slow in every phase of the request', async () => {
    const slow = await serve((_request, response) => {
      response.write('<kml>')
    })
    const { outside } = outsideOf(slow)
    const silent = await serve(() => undefined)
    const never = { ...outside, resolve: () => Promise.withResolvers<readonly string[]>().promise }
    for (const one of [outside, outsideOf(silent).outside, never]) {
      const fetched = textOf(one, 'http://example.org/', AbortSignal.timeout(100))
      await expect(fetched).rejects.toMatchObject({ code: 'HUB-GEO-005', status: 504 })
    }
  })

  it('is rejected if the server switches protocols', async () => {
    const switching = await serve((_request, response) => {
      response.socket?.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      )
    })
    const url = new URL(`http://example.org:${String(switching)}/`)
    const target = { url, addresses: ['127.0.0.1'], signal: AbortSignal.timeout(5000) }
    await expect(internet.exchange(target)).rejects.toThrow('switch protocols')
  })

  it('is reported as unavailable if the connection closes too early', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('<kml>', () => {
        response.destroy()
      })
    })
    const fetched = textOf(outsideOf(port).outside, 'http://example.org/')
    await expect(fetched).rejects.toMatchObject({ code: 'HUB-GEO-003' })
  })
})

describe('the charset of a media type', () => {
  it.each([
    ['text/xml; charset=utf-8', 'utf-8'],
    ['text/xml;charset="ISO-8859-1"', 'ISO-8859-1'],
    ['text/xml', undefined],
    [undefined, undefined],
  ])('of %s is %s', (type, charset) => {
    expect(charsetOf(type)).toBe(charset)
  })
})
