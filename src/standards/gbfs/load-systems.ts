import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DefinitionError } from '../../definitions/index.ts'
import type { DefinitionFault } from '../../definitions/index.ts'
import { readSystem } from './definition.ts'
import type { SystemDefinition } from './definition.ts'

export type System = {
  readonly definition: SystemDefinition
  /** Modification time of its file. */
  readonly stated: Date
}

/**
 * Loads the systems of a folder, one from each `<name>.yaml` or `<name>.yml`, sorted by file name.
 * @param folder if undefined, there are no systems
 * @throws DefinitionError with the faults of all files
 */
export async function loadSystems(folder: string | undefined): Promise<readonly System[]> {
  if (folder === undefined) return []
  const names = await readdir(folder).catch(() => undefined)
  if (names === undefined) {
    throw unusable([{ file: folder, reason: 'there is no such folder' }])
  }
  const systems: System[] = []
  const faults: DefinitionFault[] = []
  const files = new Map<string, string>()
  for (const file of names.filter((name) => /^[^.].*\.ya?ml$/.test(name)).toSorted()) {
    const loaded = await loadSystem(join(folder, file), file)
    if (loaded.kind === 'wrong') {
      faults.push(...loaded.faults)
      continue
    }
    const { system_id: id } = loaded.system.definition
    const other = files.get(id)
    if (other !== undefined) {
      faults.push({ file, reason: `has the system_id ${id}, which ${other} has, too` })
    }
    files.set(id, file)
    systems.push(loaded.system)
  }
  if (faults.length > 0) throw unusable(faults)
  return systems
}

function unusable(faults: readonly DefinitionFault[]): DefinitionError {
  return new DefinitionError('The systems of HUB_GBFS cannot be used', faults)
}

type Loaded =
  | { readonly kind: 'loaded'; readonly system: System }
  | { readonly kind: 'wrong'; readonly faults: readonly DefinitionFault[] }

async function loadSystem(path: string, file: string): Promise<Loaded> {
  const found = await Promise.all([readFile(path, 'utf8'), stat(path)]).catch(() => undefined)
  if (found === undefined) return { kind: 'wrong', faults: [{ file, reason: 'cannot be read' }] }
  const [text, { mtime }] = found
  const read = readSystem(text, file)
  if (read.kind === 'wrong') return read
  return { kind: 'loaded', system: { definition: read.definition, stated: mtime } }
}
