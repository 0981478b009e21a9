import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'

/** A separate disk for the database, which can be filled up. */
export type Disk = {
  readonly folder: string
  /** Uses up all space that is available to accounts other than root. */
  readonly fill: () => void
  readonly empty: () => void
  readonly close: () => void
}

const gigabytes = 40

const run = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/**
 * Mounts a file system that is stored in one file of `place` and keeps its content from the last
 * run. The file is sparse: it only uses as much space as was written to it.
 * @returns undefined if mounting is not permitted, which needs root
 * @throws Error if it is already mounted: two runs must not write to it, and falling back to
 * another folder would give an empty database that does not match the recorded pieces
 */
export async function openDisk(place: string): Promise<Disk | undefined> {
  const [image, folder] = [join(place, 'disk.img'), join(place, 'disk')]
  mkdirSync(folder, { recursive: true })
  if (statSync(folder).dev !== statSync(place).dev) {
    throw new Error(
      `${folder} is mounted: a soak runs there, or was killed. End it, then run umount ${folder}.`,
    )
  }
  try {
    if (!existsSync(image)) {
      run('truncate', '--size=0', image)
      await truncate(image, gigabytes * 2 ** 30)
      run('mkfs.ext4', '-q', image)
    }
    run('mount', '-o', 'loop', image, folder)
  } catch {
    return undefined
  }
  const ballast = join(folder, 'ballast')
  const empty = () => {
    rmSync(ballast, { force: true })
  }
  empty()
  return {
    folder,
    fill: () => {
      const room = run('df', '--block-size=1', '--output=avail', folder).trim().split('\n')[1] ?? ''
      run('fallocate', '--length', room.trim(), ballast)
    },
    empty,
    close: () => {
      empty()
      run('umount', folder)
    },
  }
}
