import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

const version = '0.40.1'

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'hub-pyshacl')

/** The Python that has pySHACL; there once `fetchPyshacl` has been successful. */
const python = join(cache, `pyshacl-${version}`, 'bin', 'python')

/** The Python that has pySHACL; undefined where `npm run setup` could not get it. */
export function findPyshacl(): string | undefined {
  return existsSync(python) ? python : undefined
}

/**
 * Has pip install pySHACL, the reference validator of SHACL, into a virtual environment of its own in the user's
 * cache, unless it is there already: 50 MB.
 * @throws Error with the words of Python or pip when it cannot be had
 */
export async function fetchPyshacl(): Promise<void> {
  if (existsSync(python)) return
  await mkdir(cache, { recursive: true })
  // Moved when it is whole: an interrupted run leaves nothing that looks complete.
  const made = await mkdtemp(join(cache, 'made-'))
  try {
    console.log(`Getting pySHACL ${version} from the Python registry …`)
    run('python3', ['-m', 'venv', made])
    run(join(made, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', `pyshacl==${version}`])
    await rename(made, join(cache, `pyshacl-${version}`))
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (error !== undefined) throw new Error(`${program} cannot be started: ${error.message}`)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`)
}
