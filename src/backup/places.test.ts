import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { digestOf, fakeS3 } from '../../test/fixtures/fake-s3.ts'
import { manifestName } from './manifest.ts'
import { placeOfBackup } from './places.ts'

const table = { schema: null, name: 'message', columns: ['id'], rows: 1 }
const rows = Buffer.from('1\n')
const file = { file: 'message.copy.gz', bytes: rows.length, sha256: digestOf(rows) }
const manifest = {
  ...{ format: 1, version: '1', created: '2026-11-26T00:00:00Z', engine: 'postgresql' },
  ...{ migrations: [], sequences: [], months: [], tables: [{ ...table, ...file }] },
  span: { first: '2026-01', end: '2027-01' },
}
const text = Buffer.from(JSON.stringify(manifest))

function placeIn({ fetch }: ReturnType<typeof fakeS3>, place = 'https://s3.test/bucket/monday') {
  return placeOfBackup({ place, region: 'auto', keyId: 'key', secret: 'secret', fetch })
}

it('stores a backup in a bucket below its prefix, and loads it', async () => {
  const s3 = fakeS3()
  await expect(placeIn(s3).load()).rejects.toThrow('There is no complete backup in monday/.')
  const place = placeIn(s3)
  const folder = await place.begin()
  await writeFile(join(folder, file.file), rows)
  await place.take(file)
  await writeFile(join(folder, manifestName), text)
  await place.take({ file: manifestName, bytes: text.length, sha256: digestOf(text) })
  await place.end()
  expect([...s3.objects.keys()]).toEqual([
    '/bucket/monday/message.copy.gz',
    '/bucket/monday/manifest.json',
  ])
  const again = placeIn(s3)
  const loaded = await again.load()
  expect(await readFile(join(loaded, file.file))).toEqual(rows)
  expect(await readFile(join(loaded, manifestName))).toEqual(text)
  await again.end()
  await expect(readFile(join(loaded, manifestName))).rejects.toThrow('ENOENT')
  await expect(placeIn(s3).begin()).rejects.toThrow('monday')
})

it('requires a bucket and a prefix', () => {
  expect(() => placeIn(fakeS3(), 'https://s3.test/bucket')).toThrow('a bucket and a prefix')
})
