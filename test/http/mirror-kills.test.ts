import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ContentRecord } from '../../src/content/index.ts'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { openMirroredHub, readFolder, readTables, startMirror } from '../fixtures/mirrored-hub.ts'
import type { MirroredHub } from '../fixtures/mirrored-hub.ts'
import { runHub } from '../fixtures/run-hub.ts'

const rounds = 4
const ids = 1000

describeOn('postgresql', 'hub mirror, killed at random moments', () => {
  let hub: MirroredHub
  let target: TestDatabase
  let folder = ''

  beforeAll(async () => {
    hub = await openMirroredHub()
    target = await cloneDatabase('postgresql', 'empty')
    folder = await mkdtemp(join(tmpdir(), 'mirror-'))
  })
  afterAll(async () => {
    await hub.close()
    await target.drop()
    await rm(folder, { recursive: true })
  })

  const chance = (most: number) => Math.floor(Math.random() * most)
  const some = (count: number): readonly ContentRecord[] =>
    Array.from({ length: count }, () => {
      const id = `K${String(chance(ids))}`
      const hidden = chance(4) === 0 ? { LicenseInfo: { ClosedData: true } } : {}
      return {
        ...{ Id: id, Shortname: `${id} ${String(Math.random())}`, _Meta: { Source: 'a22' } },
        Detail: { en: { BaseText: 'text '.repeat(chance(400)) } },
        ...hidden,
      }
    })
  const distinct = (records: readonly ContentRecord[]) => [
    ...new Map(records.map((record) => [record['Id'], record])).values(),
  ]

  /** Starts writing, until the returned function is called. */
  const startWriter = () => {
    const stopped = new AbortController()
    const running = (async () => {
      while (!stopped.signal.aborted) {
        const gone = Array.from({ length: 3 }, () => `K${String(chance(ids))}`)
        const records = distinct(some(1 + chance(20)))
        await hub.write(
          records.filter(({ Id }) => !gone.includes(String(Id))),
          gone,
        )
        await sleep(chance(30))
      }
    })()
    return async () => {
      stopped.abort()
      await running
    }
  }

  it('ends up with exactly the records of the hub', async () => {
    await hub.write(distinct(some(3 * ids)))
    await hub.publish('Event')
    const stop = startWriter()
    const killAll = async (to: string) => {
      for (let round = 0; round < rounds; round++) {
        const { child, output, ended } = startMirror([hub.url, '--to', to, '--feeds', 'Event'])
        await expect.poll(output, { interval: 5 }).toContain('Copying')
        await sleep(chance(round % 2 === 0 ? 150 : 1200))
        child.kill('SIGKILL')
        expect(await ended).toBe('SIGKILL')
      }
    }
    const database = target.settings.DATABASE_URL ?? ''
    try {
      await Promise.all([killAll(folder), killAll(database)])
    } finally {
      await stop()
    }
    for (const to of [folder, database]) {
      const run = await runHub(['mirror', hub.url, '--to', to, '--feeds', 'Event', '--once'])
      expect(run).toMatchObject({ code: 0 })
      // The work of earlier runs was kept: the mirror did not have to start over.
      expect(run.err).not.toContain('(410)')
    }
    const listed = await hub.list('Event')
    expect(Object.keys(listed).length).toBeGreaterThan(300)
    expect(await readFolder(folder, 'Event')).toEqual(listed)
    expect(await readTables(target.settings, 'Event')).toEqual(listed)
  })
})
