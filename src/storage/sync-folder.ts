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
    if (!isWithoutSync(error)) throw error
  }
}

/** Whether a folder could not be synced because the system does not know that. */
export function isWithoutSync(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EISDIR' || code === 'EPERM'
}
