import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * What tests compare the hub with, by package: the reference validator of SHACL, the readers of Apache Arrow, and a
 * client of OGC API Features.
 */
const versions = { pyshacl: '0.40.1', pyarrow: '26.0.1', owslib: '0.35.0' } as const

export type PythonPackage = keyof typeof versions

function placeOf(name: PythonPackage) {
  const caches = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const cache = join(caches, `hub-${name}`)
  const environment = join(cache, `${name}-${versions[name]}`)
  return { cache, environment, python: join(environment, 'bin', 'python') }
}

/** The Python that has a package; undefined where `npm run setup` could not get it. */
export function findPython(name: PythonPackage): string | undefined {
  const { python } = placeOf(name)
  return existsSync(python) ? python : undefined
}

/**
 * Has pip install a package into a virtual environment of its own in the user's cache, unless it is there already:
 * 30 to 200 MB.
 * @throws Error with the words of Python or pip when it cannot be had
 */
export async function fetchPython(name: PythonPackage): Promise<void> {
  const { cache, environment, python } = placeOf(name)
  if (existsSync(python)) return
  await mkdir(cache, { recursive: true })
  // Moved when it is whole: an interrupted run leaves nothing that looks complete.
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
