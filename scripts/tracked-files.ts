import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export type TextFile = { readonly path: string; readonly text: string }

const textual = /(^|\/)[^.]+$|\.(ts|js|sql|md|json|ya?ml|sh|html|css|svelte|example|xml)$/

/**
 * Loads the text files of the repository that git lists: tracked ones, and new ones that are not
 * ignored.
 */
export async function loadTrackedFiles(): Promise<readonly TextFile[]> {
  const git = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const { stdout } = await promisify(execFile)('git', git, { maxBuffer: 64 * 1024 * 1024 })
  const paths = stdout.split('\0').filter((path) => textual.test(path))
  const files = await Promise.all(paths.map(load))
  return files.filter((file) => file !== undefined)
}

/**
 * Loads a file. Returns undefined for a file that is deleted but not yet committed: git still lists
 * it, but nothing can be wrong in it.
 */
async function load(path: string): Promise<TextFile | undefined> {
  try {
    return { path, text: await readFile(path, 'utf8') }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
