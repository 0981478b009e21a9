import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'hub-maven')

/**
 * A program for tests that Maven downloads, with its dependencies, to a folder of the user's cache.
 */
export type Artifact = {
  readonly title: string
  readonly group: string
  readonly name: string
  readonly version: string
  readonly folder: string
}

function artifact(written: Omit<Artifact, 'folder'>): Artifact {
  return { ...written, folder: join(cache, `${written.name}-${written.version}`) }
}

export const gbfsValidator = artifact({
  ...{ title: 'The validator of GBFS', group: 'org.entur.gbfs' },
  ...{ name: 'gbfs-validator-java', version: '2.0.68' },
})

export const sensorThingsSuite = artifact({
  ...{ title: 'The test suite of SensorThings', group: 'org.opengis.cite' },
  ...{ name: 'ets-sta10', version: '1.5' },
})

/** Maven resolves the dependencies of a project but not those of a single artifact. */
const projectOf = ({ group, name, version }: Artifact) => `
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>hub</groupId><artifactId>tests</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version>
  </dependency></dependencies>
</project>
`

/**
 * Downloads a program to the user's cache with Maven, unless it is there already.
 * @throws Error with Maven's output if the download fails
 */
export async function fetchFromMaven(wanted: Artifact): Promise<void> {
  const { title, version, folder: target } = wanted
  if (existsSync(target)) return
  await mkdir(cache, { recursive: true })
  // Moved only when complete, so that an interrupted run leaves no folder that looks complete.
  const folder = await mkdtemp(join(cache, 'fetched-'))
  try {
    console.log(`${title} ${version}: getting it from Maven's registry …`)
    await writeFile(join(folder, 'pom.xml'), projectOf(wanted))
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib']
    const maven = spawnSync('mvn', ['-B', '-q', '--strict-checksums', ...goal], { cwd: folder })
    const words = `${String(maven.stdout)}${String(maven.stderr)}${maven.error?.message ?? ''}`
    if (maven.status !== 0) throw new Error(`Maven could not get it:\n${words}`)
    await rename(join(folder, 'lib'), target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
