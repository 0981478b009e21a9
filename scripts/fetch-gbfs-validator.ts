import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

const version = '2.0.68'

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'hub-gbfs')

/** The folder with the validator of GBFS and what it needs, once it was fetched. */
export const gbfsValidator = join(cache, `gbfs-validator-java-${version}`)

/** Maven resolves what a project depends on, not what an artifact does. */
const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>hub</groupId><artifactId>gbfs</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.entur.gbfs</groupId><artifactId>gbfs-validator-java</artifactId>
    <version>${version}</version>
  </dependency></dependencies>
</project>
`

/**
 * Has Maven get the validator into the user's cache, unless it lies there already: 3 MB.
 * @throws Error with the words of Maven when it cannot be had
 */
export async function fetchGbfsValidator(): Promise<void> {
  if (existsSync(gbfsValidator)) return
  await mkdir(cache, { recursive: true })
  // Moved when it is whole: an interrupted run leaves nothing that looks complete.
  const folder = await mkdtemp(join(cache, 'fetched-'))
  try {
    console.log(`Getting the validator of GBFS ${version} from Maven's registry …`)
    await writeFile(join(folder, 'pom.xml'), project)
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib']
    const maven = spawnSync('mvn', ['-B', '-q', '--strict-checksums', ...goal], { cwd: folder })
    const words = `${String(maven.stdout)}${String(maven.stderr)}${maven.error?.message ?? ''}`
    if (maven.status !== 0) throw new Error(`Maven could not get the validator of GBFS:\n${words}`)
    await rename(join(folder, 'lib'), gbfsValidator)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
