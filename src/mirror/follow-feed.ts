import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { AppError } from '../errors/index.ts'
import { isPassing } from '../storage/index.ts'
import type { Copy, ExportFile, FeedCopy, Progress } from './copy.ts'
import { batchesOf } from './messages.ts'
import type { Message } from './messages.ts'
import type { Attempt } from './patience.ts'
import { redirected } from './remote.ts'
import type { Incoming, Remote } from './remote.ts'

export type FollowDeps = {
  readonly remote: Remote
  readonly copy: Copy
  readonly report: (text: string) => void
}

/** The result of a step. */
export type Step = {
  /** `behind`: more can be read immediately. `missing`: the hub does not have the feed. */
  readonly kind: 'behind' | 'current' | 'missing'
  readonly messages: number
}

/** Copies a feed step by step. */
export type Follower = {
  readonly step: (how: 'wait' | 'at once') => Promise<Step>
  readonly close: () => Promise<void>
}

/**
 * Opens the copy of a feed, to start or resume it.
 * @throws Error if the copy cannot be opened
 */
export async function followFeed(deps: FollowDeps, feed: string): Promise<Follower> {
  const copy = await deps.copy.open(feed)
  const following: Following = { ...deps, feed, target: copy, progress: copy.progress, restarts: 0 }
  return {
    step: async (how) => {
      const { progress } = following
      if (progress === undefined) return begin(following)
      const [file] = progress.files
      return file === undefined
        ? readOn(following, progress, how)
        : loadFile(following, progress, file)
    },
    close: copy.close,
  }
}

type Following = FollowDeps & {
  readonly feed: string
  readonly target: FeedCopy
  progress: Progress | undefined
  /** Number of lists that started in a row without a page that could be read. */
  restarts: number
}

const behind = (messages: number): Step => ({ kind: 'behind', messages })

/**
 * Starts a list: with the export of the feed if its offset is valid, otherwise with the feed
 * itself.
 */
async function begin(following: Following): Promise<Step> {
  const { remote, copy, feed, progress: before } = following
  if (following.restarts > 1) await remote.patience.pause(following.restarts)
  following.restarts += 1
  const found = await remote.findExport(feed)
  const probe = found && (await remote.page(feed, found.offset, 'at once'))
  const next: Progress = {
    generation: (before?.generation ?? 0) + 1,
    phase: 'list',
    ...(found !== undefined && probe?.kind === 'page' ? found : { offset: '-1', files: [] }),
  }
  await removeOtherParts(next.files, { folder: copy.folder, feed })
  await apply(following, [], next)
  return behind(0)
}

/**
 * Loads a file of the export and applies its messages.
 * @returns `behind`, also if the hub has replaced the file: then the list starts again
 */
async function loadFile(following: Following, progress: Progress, file: ExportFile): Promise<Step> {
  const { remote, copy, feed } = following
  const path = await download(remote, file, { folder: copy.folder, feed })
  if (path === undefined) return begin(following)
  let count = 0
  for await (const messages of batchesIn(path, file)) {
    await apply(following, messages, progress)
    count += messages.length
  }
  await apply(following, [], { ...progress, files: progress.files.slice(1) })
  await rm(path, { force: true })
  return behind(count)
}

/**
 * Yields the messages of a file. A file that cannot be read is removed: the hub may have a new one
 * by the next attempt.
 */
async function* batchesIn(path: string, file: ExportFile) {
  const text = createGunzip({ chunkSize: 262_144 })
  const reading = pipeline(createReadStream(path), text)
  // An error of either stream ends the text, and its reader throws it.
  reading.catch(() => undefined)
  try {
    yield* batchesOf(withinBounds(text, file), file.url)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/**
 * Limit on the unpacked bytes per packed byte. Records differ from each other, so real exports stay
 * far below it.
 */
const maxUnpacked = 300

/**
 * Passes the chunks through.
 * @throws Error if a file contains far more than its size in the manifest suggests
 */
async function* withinBounds(text: AsyncIterable<Buffer>, { url, bytes }: ExportFile) {
  const most = Math.max(1_000_000, maxUnpacked * bytes)
  let size = 0
  for await (const chunk of text) {
    size += chunk.length
    if (size > most) {
      const [has, limit] = [bytes, most].map((number) => number.toLocaleString('en'))
      throw new Error(`${url}: more than ${limit} bytes are packed in ${has}. Is this an export?`)
    }
    yield chunk
  }
}

async function readOn(
  following: Following,
  progress: Progress,
  how: 'wait' | 'at once',
): Promise<Step> {
  const { remote, feed, report } = following
  const page = await remote.page(feed, progress.offset, how)
  if (page.kind === 'outdated') {
    report(`${feed}: the offset is outdated (410); its copy begins again.`)
    return begin(following)
  }
  if (page.kind === 'missing') return { kind: 'missing', messages: 0 }
  following.restarts = 0
  const { messages, next: offset, isUpToDate } = page
  const next: Progress = { ...progress, offset }
  if (messages.length > 0 || offset !== progress.offset) await apply(following, messages, next)
  if (isUpToDate && progress.phase === 'list') await sweep(following, { ...next, phase: 'changes' })
  return { kind: isUpToDate ? 'current' : 'behind', messages: messages.length }
}

async function apply(
  following: Following,
  messages: readonly Message[],
  next: Progress,
): Promise<void> {
  await store(following, (target) => target.apply(messages, next))
  following.progress = next
}

async function sweep(following: Following, next: Progress): Promise<void> {
  await store(following, (target) => target.sweep(next))
  following.progress = next
}

/**
 * Writes to the target, and retries if it is temporarily unavailable, as the hub may be. Writing
 * the same data twice is harmless.
 */
function store(
  { remote, target }: Following,
  write: (target: FeedCopy) => Promise<void>,
): Promise<void> {
  return remote.patience.attempt(async (): Promise<Attempt<void>> => {
    try {
      await write(target)
      return { kind: 'done', value: undefined }
    } catch (error) {
      if (!isTransient(error)) throw error
      return { kind: 'later', reason: error instanceof Error ? error.message : String(error) }
    }
  })
}

function isTransient(error: unknown): boolean {
  return isPassing(error) || (error instanceof AppError && 'Retry-After' in error.headers)
}

type Loading = { readonly folder: string; readonly feed: string }

/** Number of times that a file may arrive with content other than its manifest states. */
const maxAttempts = 3

/**
 * Downloads a file of an export into a folder. Resumes an earlier attempt.
 * @returns its path, or undefined if the hub no longer has the file
 * @throws Error if its content is not what the manifest states
 */
async function download(
  remote: Remote,
  file: ExportFile,
  { folder, feed }: Loading,
): Promise<string | undefined> {
  const path = join(folder, nameOf(file, feed))
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const outcome = await loadAll(remote, file, path)
    if (outcome === 'gone') return undefined
    if (outcome === 'whole' && (await digestOf(path)) === file.sha256) return path
    await rm(path, { force: true })
  }
  throw new Error(`${file.url} does not have the content that its manifest states.`)
}

/**
 * Returns the name of a partial file. It includes the feed, because feeds may have files with the
 * same content.
 */
function nameOf({ sha256 }: ExportFile, feed: string): string {
  return `${prefixOf(feed)}${sha256}.part`
}

function prefixOf(feed: string): string {
  return `${createHash('sha256').update(feed).digest('hex').slice(0, 16)}-`
}

/** Removes partial files of the feed's other exports. */
async function removeOtherParts(
  files: readonly ExportFile[],
  { folder, feed }: Loading,
): Promise<void> {
  const kept = files.map((file) => nameOf(file, feed))
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefixOf(feed)) && !kept.includes(name)) await rm(join(folder, name))
  }
}

/** Requests the missing bytes until the file is whole or no more bytes arrive. */
async function loadAll(
  remote: Remote,
  file: ExportFile,
  path: string,
): Promise<'whole' | 'gone' | 'false'> {
  for (;;) {
    const have = await sizeOf(path)
    if (have === file.bytes) return 'whole'
    const isThere = await remote.part(file.url, `bytes=${String(have)}-`, (incoming) =>
      keep(incoming, { path, have, file }),
    )
    if (!isThere) return 'gone'
    const size = await sizeOf(path)
    if (size <= have || size > file.bytes) return 'false'
  }
}

type Part = { readonly path: string; readonly have: number; readonly file: ExportFile }

/**
 * Writes the received bytes to the file.
 * @returns whether the hub has the file
 */
async function keep(
  { status, headers, body }: Incoming,
  { path, have, file }: Part,
): Promise<boolean> {
  if (status === 404 || status === 410) return false
  if (status === 416) return true
  if (status !== 200 && status !== 206) {
    const target = headers.get('location')
    const said = target === null ? '' : ` ${redirected(target)}`
    throw new Error(`${file.url}: unexpected response with status ${String(status)}.${said}`)
  }
  const from = `bytes ${String(have)}-`
  const continues = status === 206 && headers.get('content-range')?.startsWith(from) === true
  const handle = await open(path, continues ? 'a' : 'w')
  try {
    let size = continues ? have : 0
    for await (const chunk of body) {
      // Unlike `write`, it continues until all bytes are written.
      await handle.writeFile(chunk)
      size += chunk.length
      // The file is larger than the manifest states: the rest is of no use.
      if (size > file.bytes) break
    }
  } finally {
    await handle.close()
  }
  return true
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  const chunks: AsyncIterable<Buffer> = createReadStream(path)
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}
