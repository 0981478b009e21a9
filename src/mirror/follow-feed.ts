import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { AppError } from '../errors/index.ts'
import { isPassing } from '../storage/index.ts'
import type { Copy, ExportFile, FeedCopy, Progress } from './copy.ts'
import { download, removeOtherParts } from './download.ts'
import { batchesOf } from './messages.ts'
import type { Message } from './messages.ts'
import type { Attempt } from './patience.ts'
import type { Remote } from './remote.ts'

export type FollowDeps = {
  readonly remote: Remote
  readonly copy: Copy
  readonly report: (text: string) => void
}

/** What a step has brought. */
export type Step = {
  /** `behind`: there is more to read at once. `missing`: the hub does not have the feed. */
  readonly kind: 'behind' | 'current' | 'missing'
  readonly messages: number
}

/** A feed that is copied, step by step. */
export type Follower = {
  readonly step: (how: 'wait' | 'at once') => Promise<Step>
  readonly close: () => Promise<void>
}

/** @throws Error when the copy cannot be opened */
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
  /** Lists that began one after the other, without a page that could be read. */
  restarts: number
}

const behind = (messages: number): Step => ({ kind: 'behind', messages })

/** Begins a list: with the export of the feed if its offset is valid, otherwise with the feed itself. */
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

/** @returns `behind`, also when the hub has replaced the file: then the list begins again. */
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

/** The messages of a file, which is removed when it cannot be read: the hub may have another one by then. */
async function* batchesIn(path: string, file: ExportFile) {
  const text = createGunzip({ chunkSize: 262_144 })
  const reading = pipeline(createReadStream(path), text)
  // A fault of either ends the text, and is thrown by it.
  reading.catch(() => undefined)
  try {
    yield* batchesOf(withinBounds(text, file), file.url)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Bytes of a text for each byte of its file: records differ, so they never come near to it. */
const mostUnpacked = 300

/** @throws Error for a file that contains far more than its size in the manifest suggests */
async function* withinBounds(text: AsyncIterable<Buffer>, { url, bytes }: ExportFile) {
  const most = Math.max(1_000_000, mostUnpacked * bytes)
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

/** A target may be away for a while, as the hub may. To write the same twice does no harm. */
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
