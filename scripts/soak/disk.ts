import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'

/** A disk of its own for the database, which can be full. */
export type Disk = {
  readonly folder: string
  /** Leaves no room to anyone but root. */
  readonly fill: () => void
  readonly empty: () => void
  readonly close: () => void
}

const gigabytes = 40

const run = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/**
 * Mounts a file system that is one file of `place`, with what it had the last time. The file takes as much room as was
 * written into it.
 * @returns nothing where mounting is not allowed; it takes root
 * @throws Error where it is mounted: two must not write, and another database than that of the pieces would be empty
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
