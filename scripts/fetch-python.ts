import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Versions of the Python packages that tests compare the hub with: the reference validator of
 * SHACL, the readers of Apache Arrow, and a client of OGC API Features.
 */
const versions = { pyshacl: '0.40.1', pyarrow: '26.0.1', owslib: '0.35.0' } as const

export type PythonPackage = keyof typeof versions

function placeOf(name: PythonPackage) {
  const caches = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const cache = join(caches, `hub-${name}`)
  const environment = join(cache, `${name}-${versions[name]}`)
  return { cache, environment, python: join(environment, 'bin', 'python') }
}

/**
 * Returns the Python executable that has a package, or undefined if `npm run setup` could not
 * install it.
 */
export function findPython(name: PythonPackage): string | undefined {
  const { python } = placeOf(name)
  return existsSync(python) ? python : undefined
}

/**
 * Installs a package (30 to 200 MB) with pip into its own virtual environment in the user's cache,
 * unless it is there already.
 * @throws Error with the output of Python or pip if the installation fails
 */
export async function fetchPython(name: PythonPackage): Promise<void> {
  const { cache, environment, python } = placeOf(name)
  if (existsSync(python)) return
  await mkdir(cache, { recursive: true })
  // Moved only when complete, so that an interrupted run leaves no folder that looks complete.
  const made = await mkdtemp(join(cache, 'made-'))
  const wanted = `${name}==${versions[name]}`
  try {
    console.log(`Getting ${wanted} from the Python registry …`)
    run('python3', ['-m', 'venv', made])
    run(join(made, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', wanted])
    await rename(made, environment)
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (error !== undefined) throw new Error(`${program} cannot be started: ${error.message}`)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`)
}
