import { appendFile, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FeedCopy, Progress } from './copy.ts'
import { openFolderCopy } from './folder-copy.ts'
import { readMessage } from './messages.ts'
import type { Message } from './messages.ts'

let folder = ''
let opened: FeedCopy[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'copy-'))
  opened = []
})
afterEach(async () => {
  for (const copy of opened) await copy.close()
  await rm(folder, { recursive: true })
})

const now = () => new Date('2026-11-25T12:00:00Z')

const open = async (feed = 'Event', limits: { slack?: number; atOnce?: number } = {}) => {
  const copy = await openFolderCopy(folder, { writer: String(opened.length), now, ...limits })
  const found = await copy.open(feed)
  opened.push(found)
  return found
}

const message = (operation: Message['operation'], key: string, value = '1'): Message => {
  const valued = operation === 'delete' ? '' : `,"value":${value}`
  const text = `{"type":"Event","key":"${key}"${valued},"headers":{"operation":"${operation}"}}`
  const read = readMessage(text)
  if (read === undefined) throw new Error('no message')
  return read
}

const at = (offset: string, more: Partial<Progress> = {}): Progress => ({
  ...{ generation: 1, phase: 'changes', offset, files: [] },
  ...more,
})

const stateOf = async (name = 'Event') =>
  JSON.parse(await readFile(join(folder, name, 'state.json'), 'utf8'))

const linesOf = async (name = 'Event') => {
  const { file, bytes } = await stateOf(name)
  const text = (await readFile(join(folder, name, file))).subarray(0, bytes).toString()
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
    .map(({ key, headers, value }) => [headers.operation, key, value].join(' ').trim())
}

it('Records and progress are restored when the copy is reopened', async () => {
  const copy = await open()
  expect(copy.progress).toBeUndefined()
  await copy.apply([message('insert', 'a'), message('insert', 'b')], at('1'))
  await copy.apply([message('delete', 'a')], at('2'))
  expect((await open()).progress).toEqual(at('2'))
  expect(await linesOf()).toEqual(['insert a 1', 'insert b 1', 'delete a'])
})

it('Records that were written without their progress are cut off', async () => {
  const copy = await open()
  await copy.apply([message('insert', 'a')], at('1'))
  const before = await stateOf()
  await copy.apply([message('insert', 'b')], at('2'))
  await writeFile(join(folder, 'Event', 'state.json'), JSON.stringify(before))
  await appendFile(join(folder, 'Event', 'records-0.ndjson'), '{"type":"Ev')
  for (const name of ['records-1.ndjson', 'state.json.x']) {
    await writeFile(join(folder, 'Event', name), 'unfinished')
  }
  const again = await open()
  expect(again.progress).toEqual(at('1'))
  expect(await readdir(join(folder, 'Event'))).toEqual(['records-0.ndjson', 'state.json'])
  await again.apply([message('insert', 'c')], at('2'))
  expect(await linesOf()).toEqual(['insert a 1', 'insert c 1'])
})

it('A sweep keeps the records of the last list, and the changes after it', async () => {
  const copy = await open()
  await copy.apply([message('insert', 'a'), message('insert', 'b')], at('1'))
  const list = { generation: 2, phase: 'list' } as const
  await copy.apply([message('insert', 'b', '2'), message('insert', 'c')], at('9', list))
  await copy.apply([message('delete', 'c'), message('insert', 'd')], at('10', list))
  expect(await linesOf()).toHaveLength(6)
  await copy.sweep(at('10', { generation: 2 }))
  expect(await linesOf()).toEqual(['insert b 2', 'insert d 1'])
  expect(await readdir(join(folder, 'Event'))).toEqual(['records-1.ndjson', 'state.json'])
  await copy.apply([message('insert', 'e')], at('11', { generation: 2 }))
  expect(await linesOf()).toEqual(['insert b 2', 'insert d 1', 'insert e 1'])
  expect((await open()).progress).toEqual(at('11', { generation: 2 }))
})

it('A log that has grown is compacted, in several rounds if it is long', async () => {
  for (const [feed, atOnce] of [
    ['Event', 1_000_000],
    ['Tag', 500],
  ] as const) {
    const copy = await open(feed, { slack: 1000, atOnce })
    const kept = new Map<string, string>()
    let most = 0
    for (let step = 0; step < 120; step++) {
      const key = `k${String((step * 7) % 23)}`
      const isGone = step % 5 === 0
      if (isGone) kept.delete(key)
      else kept.set(key, `insert ${key} ${String(step)}`)
      const one = message(isGone ? 'delete' : 'insert', key, String(step))
      await copy.apply([one], at(String(step)))
      most = Math.max(most, (await stateOf(feed)).bytes)
    }
    expect(most).toBeLessThan(6000)
    const { progress, file } = await stateOf(feed)
    expect([progress, file]).toEqual([at('119'), expect.not.stringMatching('records-0')])
    await copy.sweep(at('119'))
    const found = new Map<string, string>()
    for (const line of await linesOf(feed)) {
      const [operation, key = ''] = line.split(' ')
      if (operation === 'delete') found.delete(key)
      else found.set(key, line)
    }
    expect(new Map([...found].sort())).toEqual(new Map([...kept].sort()))
  }
})

it('Only the copy that was opened last may write', async () => {
  const older = await open()
  await older.apply([], at('1'))
  const later = await open()
  await expect(older.apply([], at('2'))).rejects.toThrow('Another mirror writes to')
  await later.apply([], at('3'))
  expect((await stateOf()).progress).toEqual(at('3'))
})

it('Feed names become folder names, even if they are unusual or long', async () => {
  for (const feed of ['..', 'traffic.A/22 *', 'x'.repeat(300), `${'x'.repeat(300)}y`]) {
    await (await open(feed)).apply([message('insert', feed.slice(0, 3))], at('1'))
  }
  const names = (await readdir(folder)).filter((name) => !['.loading', '.writer'].includes(name))
  expect(names).toHaveLength(4)
  expect(names).toEqual(expect.arrayContaining(['%2E.', 'traffic.A%2F22%20%2A']))
})

it('Folders of feeds whose names differ only in case differ in more than case', async () => {
  const feeds = ['traffic.A22', 'traffic.a22', 'TRAFFIC.a22', 'traffic.b']
  const copy = await openFolderCopy(folder, { writer: 'one', now })
  const all = await Promise.all(feeds.map((feed) => copy.open(feed)))
  opened.push(...all)
  const foldersOf = async () => (await readdir(folder)).filter((name) => !name.startsWith('.'))
  const names = await foldersOf()
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(feeds.length)
  expect(names).toEqual(expect.arrayContaining(['traffic.b']))
  for (const [place, one] of all.entries()) await one.apply([], at(String(place)))
  for (const [place, feed] of feeds.entries()) {
    expect((await open(feed)).progress?.offset).toBe(String(place))
  }
  expect(await foldersOf()).toEqual(names)
})

it('A folder with an incomplete log or an invalid state is refused', async () => {
  const copy = await open()
  await copy.apply([message('insert', 'a')], at('1'))
  await writeFile(join(folder, 'Event', 'records-0.ndjson'), '')
  await expect(open()).rejects.toThrow('is shorter than state.json states')
  await writeFile(join(folder, 'Event', 'state.json'), '{}')
  await expect(open()).rejects.toThrow('was not written by this version')
})
