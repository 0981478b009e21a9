import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '../observe/index.ts'
import { loadMappings } from '../push/index.ts'
import type { LoadedMapping } from '../push/index.ts'
import type { Surroundings } from './surroundings.ts'

type Deps = {
  /** `HUB_MAPPINGS` */
  readonly folder: string | undefined
  /** As they are at the start. */
  readonly loaded: readonly LoadedMapping[]
  readonly surroundings: Pick<Surroundings, 'every'> & {
    readonly log: Pick<Surroundings['log'], 'info' | 'error'>
  }
  readonly onChange: () => Promise<void>
}

/** The mappings of a hub, which follow the files in their folder. */
export type CurrentMappings = {
  readonly current: () => readonly LoadedMapping[]
  readonly problems: () => readonly Problem[]
  /** Looks at the files every few seconds from now on. @returns ends it */
  readonly follow: () => Promise<() => void>
}

const fiveSeconds = 5000

/** Loads mappings anew when a file of theirs changes. While one of them has a fault, all stay as they were. */
export function followMappings({ folder, loaded, surroundings, onChange }: Deps): CurrentMappings {
  const { every, log } = surroundings
  let current = loaded
  let seen = ''
  let problem: Problem | undefined
  const look = async () => {
    if (folder === undefined) return
    const found = await fingerprint(folder)
    if (found === seen) return
    seen = found
    try {
      const fresh = await loadMappings(folder)
      problem = undefined
      if (digestOf(fresh) === digestOf(current)) return
      current = fresh
      await onChange()
      log.info({ mappings: fresh.map(({ name }) => name) }, 'Mappings were loaded anew.')
    } catch (err) {
      problem = { component: 'mappings', detail: `The last ones stay in use: ${String(err)}` }
      log.error({ err }, 'Mappings have a fault; the last ones stay in use.')
    }
  }
  return {
    current: () => current,
    problems: () => (problem === undefined ? [] : [problem]),
    follow: async () => {
      if (folder === undefined) return () => undefined
      seen = await fingerprint(folder)
      return every(fiveSeconds, () => void look())
    },
  }
}

/** Of everything that mappings consist of. */
function digestOf(mappings: readonly LoadedMapping[]): string {
  return mappings.map(({ name, stream, sha256 }) => `${name} ${stream} ${sha256}`).join('\n')
}

/** Names, sizes and times of the files in a folder; what vanishes meanwhile is seen by the next look. */
async function fingerprint(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const files = names.toSorted().map(async (name) => {
    const { size, mtimeMs } = await stat(join(folder, name)).catch(() => ({ size: 0, mtimeMs: 0 }))
    return `${name} ${String(size)} ${String(mtimeMs)}`
  })
  return (await Promise.all(files)).join('\n')
}
