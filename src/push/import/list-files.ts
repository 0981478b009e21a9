import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const endings = ['.json', '.ndjson', '.jsonl', '.json.gz', '.ndjson.gz', '.jsonl.gz']

/**
 * The files that are meant: one that is named, whatever its name, and of a folder those that look like
 * the canonical formats, also in folders below, in the order of their paths.
 * @throws Error when a path does not exist, or a folder has no such file
 */
export async function listFiles(paths: readonly string[]): Promise<readonly string[]> {
  const files: string[] = []
  for (const path of paths) files.push(...(await filesOf(path)))
  return files
}

async function filesOf(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
  if (files.length > 0) return files.sort()
  throw new Error(`${path} has no file that ends with ${endings.join(', ')}.`)
}
