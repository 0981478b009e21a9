import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { entitiesOf, toNaming } from '../content/index.ts'
import { sql } from '../sql/index.ts'
import { canonicalKinds, canonicalPipeline } from './canonical/pipeline.ts'
import { importFile, listFiles } from './import-file.ts'
import type { Pipeline } from './pipeline.ts'
import type { Rejection } from './rejection.ts'

const canonical = canonicalPipeline(canonicalKinds(entitiesOf(toNaming('Hub'))))

/** A line that stores one record. */
const line = (id: string) => JSON.stringify({ kind: 'content', entity: 'Tag', items: [{ Id: id }] })
const linesOf = (count: number) => Array.from({ length: count }, (_, index) => line(`t${index}`))

describeWithDatabase('An import', (database) => {
  let folder: string

  const read = async (
    name: string,
    { isAnew = false, pipelines = [canonical] }: { isAnew?: boolean; pipelines?: Pipeline[] } = {},
  ) => {
    const rejected: Rejection[] = []
    const done: number[] = []
    const deps = { database: database(), pipelines, now: () => new Date() }
    const imported = await importFile(deps, {
      ...{ file: join(folder, name), stream: 'import/files', isAnew },
      onProgress: (part) => done.push(part),
      onRejected: (rejection) => rejected.push(rejection),
    })
    return { ...imported, list: rejected, done }
  }
  const write = async (name: string, content: string | Buffer) => {
    await writeFile(join(folder, name), content)
    return name
  }
  const count = async () => {
    const [row] = await database().query<{ n: number }>(
      sql`select count(*)::integer as n from content.tag`,
    )
    return row?.n
  }
  const empty = () => database().execute(sql`truncate content.tag`)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-import-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('reads NDJSON in batches and reports its progress', async () => {
    await empty()
    const file = await write('many.ndjson', linesOf(1200).join('\n'))
    const { done, ...imported } = await read(file)
    expect(imported).toMatchObject({ stored: 1200, rejected: 0, resumedAfter: 0 })
    expect(await count()).toBe(1200)
    expect(done).toHaveLength(3)
    expect(done.at(-1)).toBe(1)
  })

  it('detects gzip by content, and accepts CRLF, a byte order mark and empty lines', async () => {
    await empty()
    const text = `\uFEFF\r\n${linesOf(3).join('\r\n\r\n')}\r\n\r\n`
    const file = await write('packed.data', gzipSync(text))
    expect(await read(file)).toMatchObject({ stored: 3, rejected: 0 })
    expect(await count()).toBe(3)
  })

  it('reads a JSON text that spans many lines as one value', async () => {
    await empty()
    const items = Array.from({ length: 700 }, (_, index) => ({ Id: `w${index}` }))
    const text = JSON.stringify({ kind: 'content', entity: 'Tag', items }, null, 2)
    expect(await read(await write('whole.json', text))).toMatchObject({ stored: 700 })
  })

  it('reports the line of each rejection, in any batch', async () => {
    const bad = '{"kind":"content","entity":"Tag","items":[{"Id":""}]}'
    const lines = [...linesOf(600), bad, ...linesOf(500), '{', 'null', '', Buffer.from([0xff])]
    const bytes = lines.flatMap((one) => [Buffer.from(one), Buffer.from('\n')])
    const { list, rejected } = await read(await write('bad.ndjson', Buffer.concat(bytes)))
    expect(rejected).toBe(4)
    expect(list.map((one) => one.line)).toEqual([601, 1102, 1103, 1105])
    expect(list.map(({ reason }) => reason).at(-1)).toMatch(/UTF-8/)
  })

  it('counts the rejections that are not listed', async () => {
    const items = Array.from({ length: 10_003 }, () => ({ Id: '' }))
    const text = JSON.stringify({ kind: 'content', entity: 'Tag', items })
    const { list, rejected } = await read(await write('flood.json', text))
    expect([rejected, list.length, list.at(-1)?.reason]).toEqual([
      ...[10_003, 10_001, '3 more rejections are not listed'],
    ])
  })

  it.each([
    [
      'no canonical format',
      'strange.ndjson',
      '{"a":1}',
      /line 1: \/kind is required; .* This is not a canonical format/,
    ],
    [
      'no canonical format after blank lines',
      'blank.ndjson',
      `${'\r\n'.repeat(600)}{"a":1}\n{"a":2}`,
      /line 601: \/kind is required; .* This is not a canonical format/,
    ],
    ['a gzip that is cut off', 'cut.gz', gzipSync(line('a')).subarray(0, 20), /unexpected end/],
  ])('refuses a file: %s', async (_what, name, content, reason) => {
    await expect(read(await write(name, content))).rejects.toThrow(reason)
  })

  it('resumes where it was interrupted and counts nothing twice', async () => {
    await empty()
    const file = await write('long.ndjson', linesOf(1700).join('\n'))
    await expect(read(file, { pipelines: [failingAfter(900)] })).rejects.toThrow('interrupted')
    expect(await count()).toBe(500)
    await database().execute(sql`delete from content.tag where id = 't3'`)
    const { done, ...resumed } = await read(file)
    expect(resumed).toMatchObject({ stored: 1700, rejected: 0, resumedAfter: 500 })
    expect(done).toHaveLength(3)
    expect(await count()).toBe(1699)
    expect(await read(file)).toMatchObject({ stored: 1700, resumedAfter: 0 })
    expect(await count()).toBe(1700)
  })

  it('keeps the batches that precede a fault in the file', async () => {
    await empty()
    const ids = Array.from({ length: 1900 }, () => `r${randomUUID()}`)
    const file = await write('broken.gz', gzipSync(ids.map(line).join('\n')).subarray(0, -100))
    await expect(read(file)).rejects.toThrow(/unexpected end/)
    expect(await count()).toBe(1500)
    await write('broken.gz', gzipSync(ids.map(line).join('\n')))
    expect(await read(file)).toMatchObject({ stored: 1900 })
  })

  it('starts again on request, and if the file has changed', async () => {
    await empty()
    const file = await write('changing.ndjson', linesOf(1000).join('\n'))
    const interrupt = () => expect(read(file, { pipelines: [failingAfter(900)] })).rejects.toThrow()
    await interrupt()
    expect(await read(file, { isAnew: true })).toMatchObject({ stored: 1000, resumedAfter: 0 })
    await interrupt()
    await write(file, linesOf(800).join('\n'))
    expect(await read(file)).toMatchObject({ stored: 800, resumedAfter: 0 })
  })

  it('lists the data files of a folder in path order', async () => {
    await mkdir(join(folder, 'tree', 'b'), { recursive: true })
    const names = ['tree/c.json', 'tree/b/x.ndjson.gz', 'tree/a.jsonl', 'tree/readme.md']
    for (const name of names) await write(name, line('a'))
    const list = await listFiles([join(folder, 'tree'), join(folder, 'tree/readme.md')])
    expect(list.map((file) => file.slice(folder.length + 1))).toEqual([
      ...['tree/a.jsonl', 'tree/b/x.ndjson.gz', 'tree/c.json', 'tree/readme.md'],
    ])
    await mkdir(join(folder, 'nothing'))
    await expect(listFiles([join(folder, 'nothing')])).rejects.toThrow('no file that ends with')
    await expect(listFiles([join(folder, 'absent')])).rejects.toThrow('ENOENT')
  })
})

/** Reads the canonical formats. After so many lines storing fails, as if the process had died. */
function failingAfter(most: number): Pipeline {
  let prepared = 0
  return {
    id: canonical.id,
    read: (body) => {
      const reading = canonical.read(body)
      if (reading.kind === 'foreign') return reading
      const parts = [...reading.parts].map((part) => {
        prepared += part.lines.length
        const isOver = prepared > most
        return isOver ? { ...part, store: () => Promise.reject(new Error('interrupted')) } : part
      })
      return { kind: 'read', parts }
    },
  }
}
