import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { ContentRecord } from '../../src/content/index.ts'
import { bearer } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { openMirroredHub, readFolder, readTables, startMirror } from '../fixtures/mirrored-hub.ts'
import type { MirroredHub } from '../fixtures/mirrored-hub.ts'
import { runHub } from '../fixtures/run-hub.ts'

describeOn('postgresql', 'hub mirror', () => {
  let hub: MirroredHub
  let target: TestDatabase
  let folder = ''
  let database = ''

  beforeAll(async () => {
    hub = await openMirroredHub()
    target = await cloneDatabase('postgresql', 'empty')
    database = target.settings.DATABASE_URL ?? ''
    folder = await mkdtemp(join(tmpdir(), 'mirror-'))
  })
  afterEach(() => {
    hub.interfere = () => false
    hub.requests.length = 0
  })
  afterAll(async () => {
    await hub.close()
    await target.drop()
    await rm(folder, { recursive: true })
  })

  const record = (id: string, more: object = {}): ContentRecord => ({
    Id: id,
    Shortname: `${id} "[\\]," \\`,
    _Meta: { Source: 'a22' },
    ...more,
  })
  const closed = { LicenseInfo: { ClosedData: true } }
  const mirror = (to: string, ...args: readonly string[]) =>
    runHub(['mirror', hub.url, '--to', to, '--feeds', 'Event', ...args])
  /** Brings both copies up to date. */
  const update = async () => {
    const errors = []
    for (const to of [folder, database]) {
      const { code, err } = await mirror(to, '--once')
      expect([code, err]).toEqual([0, expect.stringContaining('Event: up to date')])
      errors.push(err)
    }
    return errors
  }
  const same = async () => {
    const listed = await hub.list('Event')
    expect(await readFolder(folder, 'Event')).toEqual(listed)
    expect(await readTables(target.settings, 'Event')).toEqual(listed)
    return Object.keys(listed)
  }

  it('copies an export, continues at its offset, and applies updates, deletes and hidden records', async () => {
    await hub.write([record('A'), record('B'), record('C'), record('SECRET', closed)])
    await hub.publish('Event')
    await hub.write([record('B', { Shortname: 'later' }), record('D')], ['A'])
    await update()
    expect(await same()).toEqual(['B', 'C', 'D'])
    expect(hub.requests.join('\n')).toContain('.ndjson.gz bytes=0-')
    expect(hub.requests.join('\n')).not.toContain('offset=-1')
    await hub.write([record('C', closed), record('E')], ['D'])
    await update()
    expect(await same()).toEqual(['B', 'E'])
  })

  it('follows until it is stopped, and ends with success', async () => {
    const mirrors = [folder, database].map((to) =>
      startMirror([hub.url, '--to', to, '--feeds', 'Event']),
    )
    for (const { output } of mirrors) {
      await expect.poll(output).toContain('up to date')
    }
    await hub.write([record('LIVE')], ['E'])
    const copies = () =>
      Promise.all([readFolder(folder, 'Event'), readTables(target.settings, 'Event')])
    await expect
      .poll(async () => (await copies()).map((copy) => Object.keys(copy).sort()))
      .toEqual([
        ['B', 'LIVE'],
        ['B', 'LIVE'],
      ])
    for (const { child, ended } of mirrors) {
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    }
    await same()
  })

  it('starts over after 410, and removes records that no longer exist', async () => {
    await hub.write([record('GONE')])
    await update()
    await hub.write([record('NEW')], ['GONE'])
    await hub.restart()
    const before = await same().catch(() => 'different')
    expect(before).toBe('different')
    const errors = await update()
    for (const err of errors) expect(err).toContain('Event: the offset is outdated (410)')
    expect(await same()).toEqual(['B', 'LIVE', 'NEW'])
    expect(hub.requests.join('\n')).toContain('/changes/Event?offset=-1')
    expect(hub.requests.join('\n')).not.toContain('ndjson.gz')
  })

  it('resumes a file after a broken connection, and reloads one that is corrupted', async () => {
    const noise = () => Array.from({ length: 400 }, () => Math.random().toString(36)).join('')
    await hub.write(
      Array.from({ length: 60 }, (_, place) =>
        record(`N${String(place)}`, { Detail: { en: { BaseText: noise() } } }),
      ),
    )
    await hub.publish('Event')
    await hub.restart()
    await hub.publish('Event')
    let times = 0
    hub.interfere = (request, response) => {
      const { url = '', headers } = request
      if (!url.endsWith('.ndjson.gz')) return false
      times += 1
      if (times > 3) return false
      void hub.file(url).then((all) => {
        const start = Number(/\d+/.exec(String(headers.range))?.[0])
        const part = Buffer.from(all.subarray(start))
        if (times === 3) part[part.length - 1] = (part.at(-1) ?? 0) ^ 1
        response.writeHead(206, {
          'content-range': `bytes ${String(start)}-${String(all.length - 1)}/${String(all.length)}`,
          'content-length': String(part.length),
        })
        if (times === 3) {
          response.end(part)
          return
        }
        response.write(part.subarray(0, Math.ceil(part.length / 3)), () =>
          setTimeout(() => response.destroy(), 200),
        )
      })
      return true
    }
    await mirror(folder, '--once')
    const ranges = hub.requests.flatMap(
      (path) => /\.ndjson\.gz bytes=(\d+)-$/.exec(path)?.[1] ?? [],
    )
    expect(ranges).toHaveLength(4)
    expect(ranges[0]).toBe('0')
    expect(Number(ranges[1])).toBeGreaterThan(0)
    expect(Number(ranges[2])).toBeGreaterThan(Number(ranges[1]))
    expect(ranges[3]).toBe('0')
    await mirror(database, '--once')
    await same()
    expect(await readdir(join(folder, '.loading'))).toEqual([])
  })

  it('waits while the hub does not respond or is overloaded, then continues', async () => {
    await hub.write([record('AFTER')])
    const answers = [503, 429, 'cut', 'whole', 'half']
    hub.interfere = (_, response) => {
      const answer = answers.shift()
      if (answer === undefined || answer === 'whole') return false
      if (typeof answer === 'number') {
        response.writeHead(answer, answer === 429 ? { 'retry-after': '1' } : {}).end()
      } else if (answer === 'cut') response.destroy()
      else {
        response.writeHead(200, { 'content-length': '1000', 'stream-next-offset': 'x' })
        response.write('[{"type":"Event"', () => response.destroy())
      }
      return true
    }
    const began = performance.now()
    const { err } = await mirror(folder, '--once')
    expect(performance.now() - began).toBeGreaterThan(1000)
    expect(err).toMatch(/The mirror tries again until it works\.\n(.*\n)*It works again\./)
    await mirror(database, '--once')
    expect(await same()).toContain('AFTER')
  })

  it('copies closed data with the token of a caller who may see it, not by an export', async () => {
    await hub.write([record('CLOSED', closed)])
    await hub.publish('Event')
    const { authorization } = await bearer(['ADMIN'])
    const settings = { HUB_MIRROR_TOKEN: authorization.replace('Bearer ', '') }
    const to = join(folder, 'closed')
    const args = ['mirror', hub.url, '--to', to, '--feeds', 'Event,Accommodation', '--once']
    expect(await runHub(args, { settings })).toMatchObject({ code: 0 })
    expect(await readFolder(to, 'Event')).toEqual(await hub.list('Event', { authorization }))
    expect(Object.keys(await readFolder(to, 'Event'))).toContain('CLOSED')
    expect(await readFolder(to, 'Accommodation')).toEqual({})
    expect(hub.requests.join('\n')).not.toContain('ndjson.gz')
    const other = await runHub(args, { settings: { HUB_MIRROR_TOKEN: 'old' } })
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining('still valid') })
  })

  it('reports errors that retrying does not resolve', async () => {
    const run = (...args: readonly string[]) =>
      runHub(['mirror', hub.url, '--to', join(folder, 'other'), '--once', ...args])
    expect(await run('--feeds', 'Evnt')).toMatchObject({
      code: 1,
      err: 'The hub has no feed Evnt. Did you mean Event?\n',
    })
    expect(await run('--feeds', 'Accommodation')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/refuses access \(401\).*Set HUB_MIRROR_TOKEN/),
    })
    hub.interfere = ({ url = '' }, response) => {
      if (!url.startsWith('/changes/Event')) return false
      response.writeHead(404).end()
      return true
    }
    expect(await run('--feeds', 'Event')).toMatchObject({
      code: 1,
      err: expect.stringContaining('does not have this feed any more (404)'),
    })
    hub.interfere = (_, response) => {
      response.writeHead(404).end()
      return true
    }
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('no change feeds') })
  })

  it('copies all feeds that the caller may read, until another mirror takes over', async () => {
    const all = join(folder, 'all')
    const older = startMirror([hub.url, '--to', all])
    await expect.poll(older.output).toContain('Event: up to date')
    const { code, err } = await runHub(['mirror', hub.url, '--to', all, '--once'])
    expect([code, err]).toEqual([0, expect.stringContaining('Tag: up to date')])
    const names = await readdir(all)
    expect(names).toEqual(expect.arrayContaining(['Event', 'Tag']))
    expect(names).not.toContain('Accommodation')
    const state = JSON.parse(await readFile(join(all, 'Event', 'state.json'), 'utf8'))
    expect(state).toMatchObject({ feed: 'Event', progress: { phase: 'changes', files: [] } })
    await hub.write([record('LAST')])
    expect(await older.ended).toBe(1)
    expect(older.output()).toContain('Another mirror writes to')
  })
})
