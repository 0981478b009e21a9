import { open } from 'node:fs/promises'

/** Syncs a folder. Only then is the name given to a file on disk. Windows does not support this. */
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

/**
 * Reports whether a folder could not be synced because the operating system does not support it.
 */
export function isWithoutSync(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EISDIR' || code === 'EPERM'
}
