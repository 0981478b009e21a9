import { fastify } from 'fastify'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { digestOf, fakeS3 } from '../../test/fixtures/fake-s3.ts'
import { s3Store } from './s3-store.ts'
import type { ExportStore } from './store.ts'

let s3 = fakeS3()
let store: ExportStore
const openStore = (partBytes?: number) => {
  const access = { region: 'auto', keyId: 'key', secret: 'secret', fetch: s3.fetch }
  const size = partBytes === undefined ? {} : { partBytes }
  return s3Store({ ...access, ...size, url: 'https://s3.test/bucket' })
}
beforeEach(() => {
  s3 = fakeS3()
  store = openStore()
})

const text = '0123456789'
const file = {
  name: `T-${'a'.repeat(24)}.ndjson.gz`,
  format: 'ndjson.gz',
  bytes: text.length,
  sha256: digestOf(Buffer.from(text)),
  count: 1,
} as const

async function putText(content = text): Promise<void> {
  const path = join(await store.openWorkFolder(), 'unfinished')
  await writeFile(path, content)
  await store.put(path, file)
}

async function ask(headers: Readonly<Record<string, string>> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const app = fastify()
  app.get('/', (request, reply) =>
    store.send({ exchange: { request, reply }, file, ranges: 'allowed' }),
  )
  const answer = await app.inject({ method, url: '/', headers })
  return [answer.statusCode, answer.body, answer.headers['content-range']]
}

it('stores the list, and reads the last one that was written', async () => {
  expect(await store.readList()).toBeUndefined()
  await store.writeList('{"first":1}')
  expect(await store.readList()).toBe('{"first":1}')
  await store.writeList('{"second":2}')
  expect(await store.readList()).toBe('{"second":2}')
  const reads = s3.requests.length
  await store.readList()
  expect(s3.requests.length).toBe(reads)
})

it('stores, lists and removes files under its own prefix of the bucket', async () => {
  await putText()
  await store.writeList('{}')
  s3.objects.set('/bucket/hub-exports/foreign.parquet', Buffer.from('foreign'))
  expect([...s3.objects.keys()]).toContain(`/bucket/hub-exports/${file.name}`)
  expect(await store.names()).toEqual([file.name])
  // The second removal is like that of another node.
  for (const time of [1, 2])
    await expect(store.remove(file.name), String(time)).resolves.toBeUndefined()
  expect(await store.names()).toEqual([])
})

it('reads a part of a file', async () => {
  await putText()
  expect(Buffer.from(await store.read(file.name, 2, 5)).toString()).toBe('234')
  await expect(store.read(file.name, 5, 11)).rejects.toThrow('shorter')
})

it('checks the digest of each file, and rejects other content', async () => {
  await expect(putText('012345678X')).rejects.toThrow('S3 returned 400')
  expect(await store.names()).toEqual([])
})

it('uploads large files in parts with digests, and leaves none after a failure', async () => {
  store = openStore(4)
  await putText()
  expect(Buffer.from(await store.read(file.name, 0, 10)).toString()).toBe(text)
  const key = `/bucket/hub-exports/${file.name}`
  const [post, put] = [`POST ${key}`, `PUT ${key}`]
  expect(s3.requests.slice(0, 5)).toEqual([post, put, put, put, post])
  s3.objects.clear()
  store = openStore(3)
  await expect(putText()).rejects.toThrow('did not put the parts')
  expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0])
})

it('removes unfinished files', async () => {
  const folder = await store.openWorkFolder()
  await writeFile(join(folder, 'left'), '')
  const other = await store.openWorkFolder()
  expect([await readdir(folder), await readdir(other)]).toEqual([['left'], []])
  await store.removeUnfinished(new Date('2020-01-01'))
  expect(await readdir(folder)).toEqual(['left'])
  await store.removeUnfinished(new Date(Date.now() + 1000))
  for (const one of [folder, other]) await expect(readdir(one)).rejects.toThrow('ENOENT')
})

it('sends whole files and ranges', async () => {
  await putText()
  expect(await ask()).toEqual([200, text, undefined])
  expect(await ask({ range: 'bytes=2-4' })).toEqual([206, '234', 'bytes 2-4/10'])
  expect(await ask({ range: 'bytes=7-' })).toEqual([206, '789', 'bytes 7-9/10'])
  expect(await ask({ range: 'bytes=-3' })).toEqual([206, '789', 'bytes 7-9/10'])
  expect(await ask({ range: 'bytes=5-99' })).toEqual([206, '56789', 'bytes 5-9/10'])
  expect((await ask({ range: 'bytes=10-' }))[0]).toBe(416)
  for (const range of ['bytes=4-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-']) {
    expect(await ask({ range })).toEqual([200, text, undefined])
  }
  expect(await ask({}, 'HEAD')).toEqual([200, '', undefined])
})
