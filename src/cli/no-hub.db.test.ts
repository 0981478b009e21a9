import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase, describeOnBothEngines } from '../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../test/fixtures/databases.ts'
import { runHub } from '../../test/fixtures/run-hub.ts'

describeOnBothEngines('Commands without a hub', (engine) => {
  let folder: string
  let file: string
  let clone: TestDatabase | undefined
  let settings: object
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-none-'))
    file = join(folder, 'in.ndjson')
    await writeFile(file, '{"kind": "dataTypes", "items": []}')
    clone = engine === 'postgresql' ? await cloneDatabase(engine, 'empty') : undefined
    settings = clone?.settings ?? { HUB_DATA_DIR: join(folder, 'data') }
  })
  afterAll(async () => {
    await clone?.drop()
    await rm(folder, { recursive: true })
  })

  it.each([
    ['export'],
    ['import', 'FILE'],
    ['access', 'list'],
    ['push', 'list'],
    ['push', 'replay', '--stream', 'a/b'],
    ['timeseries', 'partitions'],
    ['audit'],
  ])('create none, report where they looked, and state the remedy: %s', async (...args) => {
    const written = args.map((arg) => (arg === 'FILE' ? file : arg))
    const { code, err } = await runHub(written, { settings })
    expect([code, err]).toEqual([2, expect.stringContaining('There is no hub in the')])
    expect(err).toContain(clone === undefined ? join(folder, 'data') : 'the database hub')
    expect(err).toContain('hub migrate')
    expect(err).not.toContain('postgres://')
    expect(await readdir(folder)).toEqual(['in.ndjson'])
  })
})
