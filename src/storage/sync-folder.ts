import { open } from 'node:fs/promises'

/** A name that was given to a file is on the disk only after this. Windows has no such thing. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EISDIR' && code !== 'EPERM') throw error
  }
}
