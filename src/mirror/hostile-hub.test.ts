import { createHash } from 'node:crypto'
import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openFolderCopy } from './folder-copy.ts'
import { runMirror } from './run-mirror.ts'

const url = 'http://hub.test'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-'))
})
afterEach(() => rm(folder, { recursive: true }))

type Answers = Readonly<Record<string, () => Response>>

const now = () => new Date('2026-11-25T12:00:00Z')

/**
 * Mirrors a hub with one feed that sends these responses.
 * @returns the URLs that the mirror requested
 */
async function mirror(answers: Answers): Promise<readonly string[]> {
  const requests: string[] = []
  const hub: Answers = {
    '/changes': () => Response.json({ feeds: [{ name: 'Event' }] }),
    '/changes/Event': () =>
      Response.json([], {
        headers: { 'stream-next-offset': '1', 'stream-up-to-date': 'true' },
      }),
    ...answers,
  }
  const copy = await openFolderCopy(folder, { writer: 'test', now })
  await runMirror({
    ...{ url, copy, now, until: 'current', token: undefined, feeds: [], random: () => 0 },
    fetch: async (input, init) => {
      const address = new URL(input instanceof Request ? input.url : input)
      requests.push(address.href)
      expect(init?.redirect).toBe('manual')
      return hub[address.pathname]?.() ?? new Response('', { status: 404 })
    },
    signal: new AbortController().signal,
    sleep: (_, signal) => pause(1, undefined, { signal }),
    every: () => () => undefined,
    report: () => undefined,
  })
  return requests
}

const line = '{"type":"Event","key":"a","value":{},"headers":{"operation":"insert"}}\n'

const fileOf = (content: Uint8Array, more: object = {}) => ({
  ...{ url: `${url}/exports/Event/part.ndjson.gz`, format: 'ndjson.gz', count: 1 },
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  ...more,
})

const manifest = (files: readonly object[], more: object = {}) => ({
  '/exports/Event/manifest.json': () =>
    Response.json({
      ...{ feed: 'http://public.test/changes/Event', offset: '1', count: files.length, files },
      ...more,
    }),
})

const part = (content: Uint8Array<ArrayBuffer>) => ({
  '/exports/Event/part.ndjson.gz': () => new Response(content),
})

it('Files are loaded only from the hub, by its own or its public URL', async () => {
  const content = Uint8Array.from(gzipSync(line))
  for (const own of [url, 'http://public.test', '']) {
    const file = fileOf(content, { url: `${own}/exports/Event/part.ndjson.gz` })
    const requests = await mirror({ ...manifest([file]), ...part(content) })
    expect(requests.every((address) => address.startsWith(`${url}/`))).toBe(true)
    await rm(join(folder, 'Event'), { recursive: true })
  }
  for (const other of ['http://10.0.0.1/x', `${url}.evil.test/x`, 'file:///etc/passwd']) {
    await expect(mirror(manifest([fileOf(content, { url: other })]))).rejects.toThrow(
      `/exports/Event/manifest.json: the file ${other} is not on the hub that is mirrored.`,
    )
  }
})

it('Redirects are not followed', async () => {
  const redirect = () =>
    new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/' } })
  await expect(mirror({ '/changes': redirect })).rejects.toThrow(
    /^\/changes: unexpected response with status 302\. .* leads to http:\/\/10\.0\.0\.1\/\.$/,
  )
  const content = Uint8Array.from(gzipSync(line))
  await expect(
    mirror({ ...manifest([fileOf(content)]), '/exports/Event/part.ndjson.gz': redirect }),
  ).rejects.toThrow('part.ndjson.gz: unexpected response with status 302. The mirror does not')
})

it('Pages that are not from a hub are refused with their URL', async () => {
  const page = () => new Response('<!doctype html><title>Hello</title>')
  const refused = ' is not of a hub: it is not JSON.'
  await expect(mirror({ '/changes': page })).rejects.toThrow(`${url}/changes${refused}`)
  const path = '/exports/Event/manifest.json'
  await expect(mirror({ [path]: page })).rejects.toThrow(`${url}${path}${refused}`)
})

it('A manifest with very many files is refused', async () => {
  const file = fileOf(Uint8Array.from(gzipSync(line)))
  await expect(mirror(manifest(Array.from({ length: 10_001 }, () => file)))).rejects.toThrow(
    'the manifest has 10,001 files. The mirror takes at most 10,000.',
  )
})

it('A response that never ends is refused', async () => {
  let sent = 0
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => {
          sent += 1
          controller.enqueue(new Uint8Array(1_000_000).fill(0x20))
        },
      }),
    )
  await expect(mirror({ '/changes/Event': endless })).rejects.toThrow(
    /^\/changes\/Event\?offset=-1: the response is longer than 64 MB\.$/,
  )
  expect(sent).toBeLessThan(70)
})

it('A file is requested once, even if the file system writes only part of the data', async () => {
  const content = Uint8Array.from(gzipSync(line))
  const handle = await open(folder)
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const write = vi.spyOn(prototype, 'write').mockResolvedValueOnce({ bytesWritten: 0, buffer: '' })
  const file = fileOf(content)
  const requests = await mirror({ ...manifest([file]), ...part(content) }).finally(() => {
    write.mockRestore()
  })
  expect(requests.filter((address) => address === file.url)).toHaveLength(1)
})

it('A file that expands far beyond its size is refused and removed', async () => {
  const content = Uint8Array.from(gzipSync('\n'.repeat(10_000_000)))
  await expect(mirror({ ...manifest([fileOf(content)]), ...part(content) })).rejects.toThrow(
    /^\/exports\/Event\/part\.ndjson\.gz: more than [\d,]+ bytes are packed in [\d,]+\./,
  )
  expect(await readdir(join(folder, '.loading'))).toEqual([])
})

it('Loading a file stops at the size that its manifest states', async () => {
  let sent = 0
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => {
          sent += 1
          controller.enqueue(new Uint8Array(100))
        },
      }),
    )
  const file = fileOf(new Uint8Array(1000))
  await expect(
    mirror({ ...manifest([file]), '/exports/Event/part.ndjson.gz': endless }),
  ).rejects.toThrow('does not have the content that its manifest states')
  expect(sent).toBeLessThan(50)
})

it('A partly loaded export is removed when the hub has replaced it', async () => {
  const content = Uint8Array.from(gzipSync(line))
  const former = fileOf(new Uint8Array(1000))
  const answers = [() => new Response(new Uint8Array(500)), () => new Response('', { status: 403 })]
  const interrupted = mirror({
    ...manifest([former]),
    '/exports/Event/part.ndjson.gz': () => answers.shift()?.() ?? Response.error(),
  })
  await expect(interrupted).rejects.toThrow('the hub refuses access (403)')
  expect(await readdir(join(folder, '.loading'))).toHaveLength(1)
  const file = fileOf(content, { url: `${url}/exports/Event/other.ndjson.gz` })
  await mirror({
    ...manifest([file]),
    '/exports/Event/other.ndjson.gz': () => new Response(content),
  })
  expect(await readdir(join(folder, '.loading'))).toEqual([])
})
