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
  /** Name of the log. Only the last message of each key counts. */
  file: Type.String({ pattern: String.raw`^records-\d+\.ndjson$` }),
  /**
   * Number of valid bytes in the log. Anything after them was written by a mirror that was
   * interrupted.
   */
  bytes: Type.Integer(),
  /** Position in bytes at which the messages of the current generation start. */
  start: Type.Integer(),
  /** Size in bytes after the log was last compacted. */
  compacted: Type.Integer(),
  progress: Type.Optional(progress),
  changedAt: Type.String(),
})
type State = Static<typeof state>

type Deps = CopyDeps & {
  /** Bytes by which a log may exceed twice its compacted size before it is compacted again. */
  readonly slack?: number
  readonly atOnce?: number
}

const defaultSlack = 16_000_000

/**
 * Opens a copy in a folder. Each feed has a folder with a log of its records and a file with the
 * progress.
 */
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

/** File that names the mirror that writes to the folder: the one that started last. */
const writerName = '.writer'

const maxNameLength = 100

/**
 * Returns the folder name of a feed. Feed names may contain any character and be longer than file
 * names. If two names differ only in case, they are the same on some file systems, so the second
 * one gets a digest appended.
 */
function folderName(feed: string, present: readonly string[]): string {
  const name = encodeURIComponent(feed).replace(/^\./, '%2E').replaceAll('*', '%2A')
  const isOther = (other: string) => other !== name && other.toLowerCase() === name.toLowerCase()
  const isTaken = !present.includes(name) && present.some(isOther)
  if (name.length <= maxNameLength && !isTaken) return name
  const digest = createHash('sha256').update(feed).digest('hex').slice(0, 16)
  return `${name.slice(0, maxNameLength)}-${digest}`
}

async function makeFolder(place: Place, feed: string): Promise<string> {
  await assertMine(place)
  const folder = join(place.root, folderName(feed, await readdir(place.root)))
  await mkdir(folder, { recursive: true })
  return folder
}

type Place = Deps & { readonly root: string }

/** An open log and its stored state. */
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
  return bytes > 2 * compacted + (deps.slack ?? defaultSlack)
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

/** Removes logs that have been compacted and files that were left unfinished. */
async function removeOthers({ folder, state: { file } }: Log): Promise<void> {
  for (const name of await readdir(folder)) {
    // Any other file in the folder does not belong to the mirror.
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
  // The previous log may be removed only after the name of the new one is on disk.
  await syncFolder(folder)
  await removeOthers(log)
}

async function assertMine({ root, writer }: Place): Promise<void> {
  if ((await readFile(join(root, writerName), 'utf8')) !== writer) throw takenOver(root)
}

/** Replaces the stored state atomically, after everything that it refers to is on disk. */
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
  // Another mirror may have started while a log was compacted.
  await assertMine(deps)
  await rename(path, join(folder, 'state.json'))
  log.state = next
}

/** Bytes of a log whose keys are in memory at the same time. */
const atOnce = 256_000_000

type Part = {
  /** Range of bytes that counts: `start` is inclusive, `end` is exclusive. */
  readonly start: number
  readonly end: number
}

/**
 * Writes the last message of each key to a file, unless it is a delete. A long log takes several
 * rounds, each for a share of the keys, so that only the positions of that share are in memory.
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
