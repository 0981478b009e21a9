import type { DefinitionFault } from '../../../definitions/index.ts'
import type { Queryable } from '../../../storage/index.ts'
import type { LoadedMapping } from '../definition/definition.ts'
import { readMapping } from '../definition/load-mapping.ts'
import { listNewest, loadVersion } from './versions.ts'
import type { MappingVersion } from './versions.ts'

type Text = Pick<MappingVersion, 'stream' | 'files'> & { readonly text: string }

type ReadStored =
  | { readonly kind: 'loaded'; readonly mapping: LoadedMapping }
  | { readonly kind: 'wrong'; readonly faults: readonly DefinitionFault[] }

/**
 * Reads a mapping stored in the database, with all its faults. It is named after its stream, which
 * is a name that no file can have.
 */
export async function readStored({ stream, text, files }: Text): Promise<ReadStored> {
  const read = await readMapping({
    ...{ name: stream, file: 'mapping.yaml', bytes: Buffer.from(text) },
    beside: (file) =>
      Promise.resolve(Object.hasOwn(files, file) ? Buffer.from(files[file] ?? '') : undefined),
  })
  if (read.kind === 'wrong') return read
  const { mapping } = read
  const faults = [
    ...(mapping.stream === stream ? [] : [`stream is ${mapping.stream}, not ${stream}`]),
    ...(mapping.definition.otherStreams === undefined
      ? []
      : ['otherStreams: a stored mapping has one stream; use a file (HUB_MAPPINGS) for several']),
  ].map((reason) => ({ file: 'mapping.yaml', reason }))
  return faults.length === 0 ? read : { kind: 'wrong', faults }
}

/** Cache of the stored mappings, by which nodes learn of what others save. */
export type StoredMappings = {
  /** Loads what was saved since the last call, and returns the mappings that can be used. */
  readonly look: () => Promise<readonly LoadedMapping[]>
  /** Returns the streams whose stored mapping can no longer be used, with the reason. */
  readonly faults: () => ReadonlyMap<string, string>
}

export function storedMappings(database: Queryable): StoredMappings {
  let known = new Map<string, { readonly number: number; readonly read?: ReadStored }>()
  const load = async (stream: string, number: number) => {
    const version = await loadVersion(database, stream, number)
    const { text = null } = version ?? {}
    if (version === undefined || text === null) return { number }
    return { number, read: await readStored({ ...version, text }) }
  }
  return {
    look: async () => {
      const next: typeof known = new Map()
      for (const { stream, number } of await listNewest(database)) {
        const before = known.get(stream)
        next.set(stream, before?.number === number ? before : await load(stream, number))
      }
      known = next
      return [...known.values()].flatMap(({ read }) =>
        read?.kind === 'loaded' ? [read.mapping] : [],
      )
    },
    faults: () =>
      new Map(
        [...known].flatMap(([stream, { read }]) =>
          read?.kind === 'wrong' ? [[stream, read.faults[0]?.reason ?? ''] as const] : [],
        ),
      ),
  }
}

/** A mapping in a list, with its origin. */
export type ListedMapping = Pick<LoadedMapping, 'stream' | 'name' | 'version'> & {
  readonly source: 'file' | 'stored'
  /** Whether it reads the stream. A file takes precedence over a stored mapping. */
  readonly isUsed: boolean
}

/** Lists all mappings by stream, including stored ones that a file replaces. */
export function listMappings(
  files: readonly LoadedMapping[],
  stored: readonly LoadedMapping[],
): readonly ListedMapping[] {
  const taken = new Set(files.map(({ stream }) => stream))
  const toListed = ({ stream, name, version }: LoadedMapping) => ({ stream, name, version })
  return [
    ...files.map((one) => ({ ...toListed(one), source: 'file' as const, isUsed: true })),
    ...stored.map((one) => ({
      ...toListed(one),
      ...{ source: 'stored' as const, isUsed: !taken.has(one.stream) },
    })),
  ].toSorted((one, other) => (one.stream < other.stream ? -1 : 1))
}
