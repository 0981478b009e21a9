import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { joinRunning } from '../async/index.ts'
import type { Problem } from '../observe/index.ts'
import { loadMappings } from '../push/index.ts'
import type { LoadedMapping, StoredMappings } from '../push/index.ts'
import type { Environment } from './environment.ts'

type FollowDeps = {
  /** `HUB_MAPPINGS` */
  readonly folder: string | undefined
  readonly loaded: readonly LoadedMapping[]
  readonly stored: StoredMappings
  readonly environment: Pick<Environment, 'every'> & {
    readonly log: Pick<Environment['log'], 'info' | 'warn' | 'error'>
  }
  readonly onChange: () => Promise<void>
}

/** The current mappings of a hub, from the files in their folder and from the database. */
export type CurrentMappings = {
  readonly current: () => readonly LoadedMapping[]
  /** Mappings of the folder. A file takes precedence over a stored mapping of the same stream. */
  readonly files: () => readonly LoadedMapping[]
  readonly stored: () => readonly LoadedMapping[]
  readonly problems: () => readonly Problem[]
  readonly refresh: () => Promise<void>
  /** Checks for changes now, and then every few seconds. @returns a function that stops it */
  readonly follow: () => Promise<() => void>
}

const fiveSeconds = 5000

/** Reloads mappings when a file or a stored mapping changes. */
export function followMappings(deps: FollowDeps): CurrentMappings {
  const { stored, environment, onChange } = deps
  const { every, log } = environment
  const files = followFiles(deps)
  let kept: readonly LoadedMapping[] = []
  let used = digestOf(deps.loaded)
  const isRead = (stream: string) => files.current().some((one) => one.stream === stream)
  const current = () => [...files.current(), ...kept.filter(({ stream }) => !isRead(stream))]
  const refresh = joinRunning(async () => {
    try {
      await files.look()
      kept = await stored.look()
      const digest = digestOf(current())
      if (digest === used) return
      await onChange()
      used = digest
      log.info({ mappings: current().map(({ name }) => name) }, 'Mappings were reloaded.')
    } catch (err) {
      log.warn({ err }, 'Mappings could not be reloaded; the hub tries again.')
    }
  })
  return {
    ...{ current, refresh, files: files.current, stored: () => kept },
    problems: () => [...files.problems(), ...storedProblems(stored)],
    follow: async () => {
      await refresh()
      return every(fiveSeconds, refresh)
    },
  }
}

function storedProblems(stored: StoredMappings): readonly Problem[] {
  return [...stored.faults()].map(([stream, reason]) => ({
    component: 'mappings',
    detail: `The stored mapping of ${stream} cannot be used: ${reason}`,
  }))
}

/** Reloads mappings when a file changes. If any file has a fault, all mappings stay unchanged. */
function followFiles({ folder, loaded, environment: { log } }: FollowDeps) {
  let current = loaded
  let seen: string | undefined
  let problem: Problem | undefined
  return {
    current: () => current,
    problems: () => (problem === undefined ? [] : [problem]),
    look: async () => {
      if (folder === undefined) return
      const before = seen
      seen = await fingerprint(folder)
      // The files were loaded just before the first check.
      if (before === undefined || before === seen) return
      try {
        current = await loadMappings(folder)
        problem = undefined
      } catch (err) {
        problem = { component: 'mappings', detail: `The last ones stay in use: ${String(err)}` }
        log.error({ err }, 'Mappings have a fault; the last ones stay in use.')
      }
    },
  }
}

/** Returns a digest of the content of mappings. */
function digestOf(mappings: readonly LoadedMapping[]): string {
  return mappings.map(({ name, stream, sha256 }) => `${name} ${stream} ${sha256}`).join('\n')
}

/**
 * Returns the names, sizes and times of the files in a folder. A file that vanishes meanwhile is
 * noticed by the next check.
 */
async function fingerprint(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const files = names.toSorted().map(async (name) => {
    const { size, mtimeMs } = await stat(join(folder, name)).catch(() => ({ size: 0, mtimeMs: 0 }))
    return `${name} ${String(size)} ${String(mtimeMs)}`
  })
  return (await Promise.all(files)).join('\n')
}
