import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The newest version that runs on Java 17. */
export const version = '26.7.1'

const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`

/**
 * Downloads and unpacks Keycloak (170 MB) to the user's cache with Maven, unless it is there
 * already.
 * @returns the folder that contains its `bin`
 * @throws Error with Maven's output if the download fails
 */
export async function fetchKeycloak(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'hub-keycloak')
  const name = `keycloak-${version}`
  const home = join(cache, name)
  if (existsSync(home)) return home
  await mkdir(cache, { recursive: true })
  // Moved only when complete, so that an interrupted run leaves no folder that looks complete.
  const unpacked = await mkdtemp(join(cache, 'unpacked-'))
  try {
    console.log(`Getting Keycloak ${version} from Maven's registry …`)
    const goal = ['dependency:unpack', `-Dartifact=${artifact}`, `-DoutputDirectory=${unpacked}`]
    const maven = spawnSync('mvn', ['-B', '-q', '--strict-checksums', ...goal], { cwd: unpacked })
    const words = `${String(maven.stdout)}${String(maven.stderr)}`
    if (maven.status !== 0) throw new Error(`Maven could not get Keycloak:\n${words}`)
    await rename(join(unpacked, name), home)
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
  return home
}
