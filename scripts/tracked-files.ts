import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export type TextFile = { readonly path: string; readonly text: string }

const textual = /(^|\/)[^.]+$|\.(ts|js|sql|md|json|ya?ml|sh|html|css|svelte|example|xml)$/

/** The text files of the repository, as git knows them: tracked, or new and not ignored. */
export async function loadTrackedFiles(): Promise<readonly TextFile[]> {
  const git = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const { stdout } = await promisify(execFile)('git', git, { maxBuffer: 64 * 1024 * 1024 })
  const paths = stdout.split('\0').filter((path) => textual.test(path))
  const files = await Promise.all(paths.map(load))
  return files.filter((file) => file !== undefined)
}

/** A file deleted but not yet committed is still listed, and nothing can be wrong in it. */
async function load(path: string): Promise<TextFile | undefined> {
  try {
    return { path, text: await readFile(path, 'utf8') }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
