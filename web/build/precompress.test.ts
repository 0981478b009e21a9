import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { packFolder } from './precompress.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hub-pack-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const text = 'const answer = 42\n'.repeat(100)
const at = (name: string) => join(folder, name)

it('packs what is worth it in both ways, and leaves nothing else behind', async () => {
  await writeFile(at('main.js'), text)
  await writeFile(at('small.js'), 'x')
  await writeFile(at('photo.png'), text)
  await packFolder(folder)
  expect((await readdir(folder)).toSorted()).toEqual([
    ...['main.js', 'main.js.br', 'main.js.gz', 'photo.png', 'small.js'],
  ])
  expect(brotliDecompressSync(await readFile(at('main.js.br'))).toString()).toBe(text)
  expect(gunzipSync(await readFile(at('main.js.gz'))).toString()).toBe(text)
})

it('does not pack twice what is the same, but what is not, and what is half written', async () => {
  await writeFile(at('main.js'), text)
  await packFolder(folder)
  const first = await stat(at('main.js.br'))
  await packFolder(folder)
  expect((await stat(at('main.js.br'))).ino).toBe(first.ino)
  await writeFile(at('main.js'), `${text}// more`)
  await packFolder(folder)
  expect(brotliDecompressSync(await readFile(at('main.js.br'))).toString()).toBe(`${text}// more`)
  await writeFile(at('main.js.gz'), 'half')
  await packFolder(folder)
  expect(gunzipSync(await readFile(at('main.js.gz'))).toString()).toBe(`${text}// more`)
})
