import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportFile } from './copy.ts'
import { redirected } from './remote.ts'
import type { Incoming, Remote } from './remote.ts'

type Loading = { readonly folder: string; readonly feed: string }

/** Times that a file may arrive with another content than its manifest states. */
const mostFalse = 3

/**
 * Loads a file of an export into a folder. What is there of it from an attempt before is continued.
 * @returns its path; undefined when the hub does not have the file any more
 * @throws Error when its content is not what the manifest states
 */
export async function download(
  remote: Remote,
  file: ExportFile,
  { folder, feed }: Loading,
): Promise<string | undefined> {
  const path = join(folder, nameOf(file, feed))
  for (let attempt = 1; attempt <= mostFalse; attempt++) {
    const outcome = await loadAll(remote, file, path)
    if (outcome === 'gone') return undefined
    if (outcome === 'whole' && (await digestOf(path)) === file.sha256) return path
    await rm(path, { force: true })
  }
  throw new Error(`${file.url} does not have the content that its manifest states.`)
}

/** Feeds may have files with the same content. */
function nameOf({ sha256 }: ExportFile, feed: string): string {
  return `${prefixOf(feed)}${sha256}.part`
}

function prefixOf(feed: string): string {
  return `${createHash('sha256').update(feed).digest('hex').slice(0, 16)}-`
}

/** Removes what was loaded of other exports of the feed. */
export async function removeOtherParts(
  files: readonly ExportFile[],
  { folder, feed }: Loading,
): Promise<void> {
  const kept = files.map((file) => nameOf(file, feed))
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefixOf(feed)) && !kept.includes(name)) await rm(join(folder, name))
  }
}

/** Requests what is missing until nothing is, or no more arrives. */
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

/** Writes what arrives. @returns whether the hub has the file */
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
      await handle.write(chunk)
      size += chunk.length
      // The manifest states another size: what follows is of no use.
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
