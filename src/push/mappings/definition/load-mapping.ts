import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { checkDefinition } from './check-definition.ts'
import { checkExpressions } from './check-expressions.ts'
import type { Definition } from './definition.ts'
import type { Complain, MappingFault } from '../faults.ts'
import { FileFault } from '../faults.ts'
import { loadTable } from './load-table.ts'
import type { LoadedMapping, LoadedTable } from './loaded-mapping.ts'
import { readDefinition } from './read-definition.ts'
import type { Locate } from './read-definition.ts'
import { readSchema } from './read-schema.ts'

export type LoadMapping =
  | { readonly kind: 'loaded'; readonly mapping: LoadedMapping }
  | { readonly kind: 'wrong'; readonly faults: readonly MappingFault[] }

/** Where a mapping is: its file, its name, and how faults name the file. */
export type MappingPlace = { readonly path: string; readonly name: string; readonly file: string }

type Path = readonly string[]

type Loading = {
  readonly place: MappingPlace
  readonly definition: Definition
  readonly complain: Complain
  /** Everything that the mapping consists of. */
  readonly digest: (name: string, bytes: Uint8Array) => void
}

/** Loads a mapping with all its files, and finds everything wrong with it that can be found without data. */
export async function loadMapping(place: MappingPlace): Promise<LoadMapping> {
  const { file, name } = place
  const bytes = await readFile(place.path).catch(() => undefined)
  if (bytes === undefined) return wrong([{ file, reason: 'cannot be read' }])
  const read = readDefinition(bytes.toString('utf8'), file)
  if (read.kind === 'wrong') return read
  const { definition, version, locate } = read
  const faults: MappingFault[] = []
  const sha256 = createHash('sha256').update(bytes)
  const loading: Loading = {
    place,
    definition,
    complain: complainer(faults, file, locate),
    digest: (of, content) => sha256.update(of).update(content),
  }
  checkDefinition(definition, loading.complain)
  const tables = await loadTables(loading)
  const schemas = await loadSchemas(loading)
  await checkExpressions({ definition, tables }, loading.complain)
  if (faults.length > 0) return wrong(faults.toSorted((one, other) => lineOf(one) - lineOf(other)))
  const [stream = ''] = streamsOf(definition)
  const known = { name, version, stream, sha256: sha256.digest('hex') }
  return { kind: 'loaded', mapping: { ...known, definition, tables, ...schemas } }
}

/** The streams whose messages a mapping takes, as `provider/dataset`. */
export function streamsOf({ stream, otherStreams = [] }: Definition): readonly string[] {
  return [stream, ...otherStreams].map((one) => one.replace(/^\//, ''))
}

function wrong(faults: readonly MappingFault[]): LoadMapping {
  return { kind: 'wrong', faults }
}

const lineOf = ({ line = 0 }: MappingFault) => line

function complainer(faults: MappingFault[], file: string, locate: Locate): Complain {
  return (path, reason, offset) => {
    faults.push({ file, ...locate(path, offset), reason: `${path.join('.')}: ${reason}` })
  }
}

async function loadTables(loading: Loading): Promise<Readonly<Record<string, LoadedTable>>> {
  const { definition, complain } = loading
  const loaded: [string, LoadedTable][] = []
  for (const [name, table] of Object.entries(definition.tables ?? {})) {
    const path = ['tables', name]
    const bytes =
      'file' in table ? await readBeside(loading, table.file, [...path, 'file']) : nothing
    if (bytes === undefined) continue
    try {
      const times = definition.times ?? {}
      loaded.push([name, loadTable(table, () => ({ bytes, times }))])
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      complain(path, `${'file' in table ? `${table.file} ` : ''}${error.message}`)
    }
  }
  return Object.fromEntries(loaded)
}

const nothing = new Uint8Array()

/** A file beside the mapping, or below. */
async function readBeside(
  { place, complain, digest }: Loading,
  file: string,
  path: Path,
): Promise<Uint8Array | undefined> {
  const folder = dirname(place.path)
  const found = join(folder, file)
  if (relative(folder, found).startsWith(`..${sep}`)) {
    complain(path, `${file} is not beside the mapping`)
    return undefined
  }
  try {
    const bytes = await readFile(found)
    digest(file, bytes)
    return bytes
  } catch {
    complain(path, `there is no file ${file} beside the mapping`)
    return undefined
  }
}

type Schemas = Pick<LoadedMapping, 'schema' | 'itemSchema'>

async function loadSchemas(loading: Loading): Promise<Schemas> {
  const load = async (name: 'schema' | 'itemSchema') => {
    const given = loading.definition[name]
    if (given === undefined) return undefined
    const bytes = typeof given === 'string' ? await readBeside(loading, given, [name]) : undefined
    if (typeof given === 'string' && bytes === undefined) return undefined
    try {
      return await readSchema(bytes ?? given)
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      loading.complain([name], error.message)
      return undefined
    }
  }
  const [schema, itemSchema] = [await load('schema'), await load('itemSchema')]
  return {
    ...(schema === undefined ? {} : { schema }),
    ...(itemSchema === undefined ? {} : { itemSchema }),
  }
}
