import { createHash } from 'node:crypto'
import { constants, createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Check } from 'typebox/value'
import { createLimit } from '../async/index.ts'
import { syncFolder } from '../storage/index.ts'
import { progress, takenOver } from './copy.ts'
import type { Copy, CopyDeps, FeedCopy, Progress } from './copy.ts'
import { linesOf, readMessage } from './messages.ts'
import type { Message } from './messages.ts'

const state = Type.Object({
  feed: Type.String(),
  /** The log: in it the last message of a key counts. */
  file: Type.String({ pattern: String.raw`^records-\d+\.ndjson$` }),
  /** Bytes of the log that count. What follows them was written by a mirror that ended too early. */
  bytes: Type.Integer(),
  /** Where the messages of the current generation begin. */
  start: Type.Integer(),
  /** Bytes after the log was last compacted. */
  compacted: Type.Integer(),
  progress: Type.Optional(progress),
  changedAt: Type.String(),
})
type State = Static<typeof state>

type Deps = CopyDeps & {
  /** Bytes that a log may grow beyond twice its size after it was compacted. */
  readonly slack?: number
  readonly atOnce?: number
}

const usualSlack = 16_000_000

/** A copy in a folder: for each feed a folder with a log of its records, and a file with the progress. */
export async function openFolderCopy(folder: string, deps: Deps): Promise<Copy> {
  const loading = join(folder, '.loading')
  await mkdir(loading, { recursive: true })
  await writeFile(join(folder, writerName), deps.writer)
  const { run: alone } = createLimit({ places: 1 })
  return {
    folder: loading,
    open: async (feed) => {
      const place = { ...deps, root: folder }
      return openFeed(place, { feed, folder: await alone(() => makeFolder(place, feed)) })
    },
    close: async () => undefined,
  }
}

/** Names the mirror that writes to the folder: the one that began last. */
const writerName = '.writer'

const longestName = 100

/**
 * Names of feeds may contain anything, and be longer than those of files. Of two that differ only in case, which are
 * one on some file systems, the second has another name.
 */
function folderName(feed: string, present: readonly string[]): string {
  const name = encodeURIComponent(feed).replace(/^\./, '%2E').replaceAll('*', '%2A')
  const isOther = (other: string) => other !== name && other.toLowerCase() === name.toLowerCase()
  const isTaken = !present.includes(name) && present.some(isOther)
  if (name.length <= longestName && !isTaken) return name
  const digest = createHash('sha256').update(feed).digest('hex').slice(0, 16)
  return `${name.slice(0, longestName)}-${digest}`
}

async function makeFolder(place: Place, feed: string): Promise<string> {
  await assertMine(place)
  const folder = join(place.root, folderName(feed, await readdir(place.root)))
  await mkdir(folder, { recursive: true })
  return folder
}

type Place = Deps & { readonly root: string }

/** A log that is open, and what is stored about it. */
type Log = {
  readonly folder: string
  readonly deps: Place
  file: FileHandle
  state: State
}

async function openFeed(
  deps: Place,
  { feed, folder }: { readonly feed: string; readonly folder: string },
): Promise<FeedCopy> {
  const found = await loadState(folder)
  if (found !== undefined && found.feed !== feed) {
    throw new Error(`${folder} is the copy of another feed: ${found.feed}.`)
  }
  const fresh = { feed, file: 'records-0.ndjson', bytes: 0, start: 0, compacted: 0 }
  const current = { ...fresh, changedAt: deps.now().toISOString(), ...found }
  const file = await openLog(folder, current)
  const log: Log = { folder, deps, file, state: current }
  await removeOthers(log)
  return {
    progress: found?.progress,
    apply: async (messages, next) => {
      await append(log, messages, next)
      if (next.phase === 'changes' && isLong(log)) await compact(log, next)
    },
    sweep: async (next) => {
      if (log.state.start > 0 || isLong(log)) await compact(log, next)
      else await append(log, [], next)
    },
    close: () => log.file.close(),
  }
}

function isLong({ state: { bytes, compacted }, deps }: Log): boolean {
  return bytes > 2 * compacted + (deps.slack ?? usualSlack)
}

async function loadState(folder: string): Promise<State | undefined> {
  const path = join(folder, 'state.json')
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const written: unknown = JSON.parse(text)
  if (Check(state, written)) return written
  throw new Error(`${path} was not written by this version of hub mirror. Remove ${folder}.`)
}

async function openLog(folder: string, { file: name, bytes }: State): Promise<FileHandle> {
  const path = join(folder, name)
  const file = await open(path, constants.O_RDWR | constants.O_CREAT)
  const { size } = await file.stat()
  if (size < bytes) {
    await file.close()
    throw new Error(`${path} is shorter than state.json states. Remove ${folder}.`)
  }
  await file.truncate(bytes)
  return file
}

/** Logs from before they were compacted, and those that were not finished. */
async function removeOthers({ folder, state: { file } }: Log): Promise<void> {
  for (const name of await readdir(folder)) {
    // Nothing else of what is in the folder is the mirror's.
    const isOwn = /^records-\d+\.ndjson$|^state\.json\./.test(name)
    if (isOwn && name !== file) await rm(join(folder, name))
  }
}

async function append(log: Log, messages: readonly Message[], next: Progress): Promise<void> {
  await assertMine(log.deps)
  const { bytes, progress: before } = log.state
  const block = Buffer.from(messages.map(({ text }) => `${text}\n`).join(''))
  let written = 0
  while (written < block.length) {
    const rest = block.length - written
    written += (await log.file.write(block, written, rest, bytes + written)).bytesWritten
  }
  if (written > 0) await log.file.datasync()
  await storeState(log, {
    bytes: bytes + written,
    start: next.generation === before?.generation ? log.state.start : bytes,
    progress: next,
  })
}

async function compact(log: Log, next: Progress): Promise<void> {
  const { folder, deps, file: former } = log
  const { file: name, start, bytes: end } = log.state
  const number = Number(/\d+/.exec(name)?.[0]) + 1
  const file = `records-${String(number)}.ndjson`
  const to = join(folder, file)
  await compactLog(join(folder, name), { start, end }, { to, atOnce: deps.atOnce ?? atOnce })
  const { size: bytes } = await stat(to)
  const handle = await open(to, constants.O_RDWR)
  try {
    await storeState(log, { file, bytes, start: 0, compacted: bytes, progress: next })
  } catch (error) {
    await handle.close()
    throw error
  }
  log.file = handle
  await former.close()
  // The log before may only be removed when the name of the new one is on the disk.
  await syncFolder(folder)
  await removeOthers(log)
}

async function assertMine({ root, writer }: Place): Promise<void> {
  if ((await readFile(join(root, writerName), 'utf8')) !== writer) throw takenOver(root)
}

/** Replaces what is stored at once, after everything that it refers to is on the disk. */
async function storeState(log: Log, changes: Partial<State>): Promise<void> {
  const { folder, deps } = log
  const next = { ...log.state, ...changes, changedAt: deps.now().toISOString() }
  const path = join(folder, `state.json.${deps.writer}`)
  const file = await open(path, 'w')
  try {
    await file.writeFile(`${JSON.stringify(next, null, 2)}\n`)
    await file.datasync()
  } finally {
    await file.close()
  }
  // Another mirror may have begun while a log was compacted.
  await assertMine(deps)
  await rename(path, join(folder, 'state.json'))
  log.state = next
}

/** Bytes of a log whose keys are in memory at once. */
const atOnce = 256_000_000

type Part = {
  /** Bytes of the log before and at the end of which nothing counts. */
  readonly start: number
  readonly end: number
}

/**
 * Writes the last message of each key to a file, unless that is a delete. Where a log is long, this happens in several
 * rounds, each for a share of the keys, so only their places are in memory, and never all of them.
 */
async function compactLog(
  from: string,
  { start, end }: Part,
  { to, atOnce: most }: { readonly to: string; readonly atOnce: number },
): Promise<void> {
  const rounds = Math.max(1, Math.ceil((end - start) / most))
  async function* kept() {
    for (let round = 0; round < rounds; round++) {
      const last = new Map<string, number>()
      for await (const { place, message } of messagesOf(from, { start, end })) {
        if (rounds > 1 && shareOf(message.key, rounds) !== round) continue
        last.delete(message.key)
        if (message.operation !== 'delete') last.set(message.key, place)
      }
      const places = new Set(last.values())
      for await (const { place, lines } of blocksOf(from, { start, end })) {
        let at = place
        for (const line of lines) {
          if (places.has(at)) yield Buffer.concat([line, newline])
          at += line.length + 1
        }
      }
    }
  }
  await pipeline(kept, createWriteStream(to, { flush: true }))
}

const newline = Buffer.from('\n')

function shareOf(key: string, shares: number): number {
  return createHash('md5').update(key).digest().readUInt32LE() % shares
}

async function* blocksOf(path: string, { start, end }: Part) {
  if (end <= start) return
  let place = start
  for await (const lines of linesOf(createReadStream(path, { start, end: end - 1 }), path)) {
    yield { place, lines }
    for (const line of lines) place += line.length + 1
  }
}

async function* messagesOf(
  path: string,
  part: Part,
): AsyncGenerator<{ readonly place: number; readonly message: Message }> {
  for await (const { place, lines } of blocksOf(path, part)) {
    let at = place
    for (const line of lines) {
      const message = readMessage(line.toString())
      if (message !== undefined) yield { place: at, message }
      at += line.length + 1
    }
  }
}
