import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { unescape } from 'node:querystring'
import { Compile } from 'typebox/compile'
import type { Complain, DefinitionFault, Locate } from '../../../definitions/index.ts'
import { schemaIssues } from '../../../errors/index.ts'
import { isObject, namesIn } from '../../../lang/json.ts'
import { dataTypesKind } from '../../canonical/timeseries.ts'
import { DecodeFault, checkSteps, decodePayload } from '../decode/index.ts'
import { compileSchema } from '../evaluate/compile-mapping.ts'
import { ExpressionFault, FileFault } from '../faults.ts'
import { formatFault, offsetOf, timeReader } from '../functions/time.ts'
import { checkExpressions } from './check-expressions.ts'
import { streamsOf } from './definition.ts'
import type {
  Definition,
  LoadedMapping,
  LoadedTable,
  TableDefinition,
  TimeRules,
} from './definition.ts'
import { readDefinition } from './read-definition.ts'

type Schema = Readonly<Record<string, unknown>>

const types = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']

/**
 * Reads a JSON Schema, from the bytes of its file or from the mapping itself.
 * @throws FileFault for a schema that does not compile, or of which a part would silently check
 *   nothing
 */
async function readSchema(given: Uint8Array | object | string): Promise<Schema> {
  const value = given instanceof Uint8Array ? parse(given) : given
  if (!isObject(value)) throw new FileFault('is not a valid JSON Schema: it must be an object')
  checkParts(value, { pointer: '', root: value })
  try {
    await compileSchema(value)
  } catch (error) {
    throw new FileFault(
      `is not a valid JSON Schema: ${error instanceof Error ? error.message : ''}`,
    )
  }
  return value
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch (error) {
    throw new FileFault(`is not valid JSON: ${error instanceof Error ? error.message : ''}`)
  }
}

type Place = { readonly pointer: string; readonly root: Schema }

/** Fields of a JSON Schema that hold data, not schemas. */
const data = new Set(['const', 'enum', 'default', 'examples'])

/** Rejects types that do not exist and references that lead nowhere, which the compiler ignores. */
function checkParts(part: unknown, { pointer, root }: Place): void {
  if (typeof part !== 'object' || part === null) return
  for (const [name, value] of Object.entries(part)) {
    if (data.has(name)) continue
    const place = `${pointer}/${name}`
    if (name === 'type' && !isNamed(pointer)) checkType(value, place)
    if (name === '$ref' && !isNamed(pointer)) checkReference(value, place, root)
    checkParts(value, { pointer: place, root })
  }
}

/** Reports whether the fields at a pointer have names that the author chose. */
function isNamed(pointer: string): boolean {
  return /\/(properties|patternProperties|\$defs|definitions|dependentSchemas)$/.test(pointer)
}

function checkType(value: unknown, place: string): void {
  for (const type of [value].flat()) {
    if (typeof type === 'string' && types.includes(type)) continue
    throw new FileFault(`${place}: ${String(type)} is not a type; known: ${types.join(', ')}`)
  }
}

function checkReference(value: unknown, place: string, root: Schema): void {
  if (typeof value !== 'string' || !value.startsWith('#')) {
    throw new FileFault(`${place}: only references inside the schema (#/…) are followed`)
  }
  if (value.startsWith('#/') && findTarget(value, root) === undefined) {
    throw new FileFault(`${place}: ${value} leads nowhere`)
  }
}

/** Returns what a reference points to: a JSON pointer (RFC 6901) as the fragment of a URI. */
function findTarget(reference: string, root: Schema): unknown {
  return namesIn(unescape(reference.slice(1))).reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null
        ? new Map<string, unknown>(Object.entries(at)).get(name)
        : undefined,
    root,
  )
}

type LoadMapping =
  | { readonly kind: 'loaded'; readonly mapping: LoadedMapping }
  | { readonly kind: 'wrong'; readonly faults: readonly DefinitionFault[] }

/** Location of a mapping: the path of its file, its name, and the name of the file in faults. */
export type MappingPlace = { readonly path: string; readonly name: string; readonly file: string }

type Path = readonly string[]

/** Source of a mapping, wherever it is stored. */
export type MappingSource = {
  readonly name: string
  /** Name of the file in faults. */
  readonly file: string
  readonly bytes: Uint8Array
  /** Reads a file beside the mapping. Undefined if there is none. */
  readonly beside: (file: string) => Promise<Uint8Array | undefined>
}

type Loading = {
  readonly source: MappingSource
  readonly definition: Definition
  readonly complain: Complain
  /** Adds a file to the digest of the mapping. */
  readonly digest: (name: string, bytes: Uint8Array) => void
}

/** Loads a mapping with all its files. */
export async function loadMapping({ path, name, file }: MappingPlace): Promise<LoadMapping> {
  const bytes = await readFile(path).catch(() => undefined)
  if (bytes === undefined) return wrong([{ file, reason: 'cannot be read' }])
  const beside = (other: string) => readFile(join(dirname(path), other)).catch(() => undefined)
  return readMapping({ name, file, bytes, beside })
}

/** Reads a mapping, and finds every fault that can be found without data. */
export async function readMapping(source: MappingSource): Promise<LoadMapping> {
  const { file, name, bytes } = source
  const read = readDefinition(Buffer.from(bytes).toString('utf8'), file)
  if (read.kind === 'wrong') return read
  const { definition, version, locate } = read
  const faults: DefinitionFault[] = []
  const sha256 = createHash('sha256').update(bytes)
  const loading: Loading = {
    source,
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

function wrong(faults: readonly DefinitionFault[]): LoadMapping {
  return { kind: 'wrong', faults }
}

const lineOf = ({ line = 0 }: DefinitionFault) => line

function complainer(faults: DefinitionFault[], file: string, locate: Locate): Complain {
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

/** Reads a file beside the mapping or in a folder below, and complains if there is none. */
async function readBeside(
  { source, complain, digest }: Loading,
  file: string,
  path: Path,
): Promise<Uint8Array | undefined> {
  if (relative('.', file).startsWith(`..${sep}`)) {
    complain(path, `${file} is outside the folder of the mapping`)
    return undefined
  }
  const bytes = await source.beside(file)
  if (bytes === undefined) complain(path, `the file ${file} does not exist next to the mapping`)
  else digest(file, bytes)
  return bytes
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

const dataType = Compile(dataTypesKind.schemas.item)

function checkDefinition(definition: Definition, complain: Complain): void {
  const { decode = ['json'], times = {}, dataTypes = [] } = definition
  for (const { index, reason } of checkSteps(decode)) {
    complain(definition.decode === undefined ? ['decode'] : ['decode', index], reason)
  }
  times.formats?.forEach((format, index) => {
    const fault = formatFault(format)
    if (fault !== undefined) complain(['times', 'formats', index], `${format} ${fault}`)
  })
  if (times.zone !== undefined && offsetOf(times.zone) === undefined) {
    complain(
      ['times', 'zone'],
      `${times.zone} is not a valid time zone; use one such as Europe/Rome`,
    )
  }
  dataTypes.forEach((item, index) => {
    for (const { pointer, detail } of schemaIssues(dataType.Errors(item))) {
      complain(['dataTypes', index], `${pointer} ${detail}`)
    }
  })
}

/** Content of the file of a table, and how to read the times in it. */
type Source = { readonly bytes: Uint8Array; readonly times: TimeRules }

/** Limits of a table, because tables stay in memory as long as the hub runs. */
const limits = { maxBytes: 33_554_432, maxDepth: 50 }

/** @throws FileFault if the file is not a table */
function loadTable(table: TableDefinition, read: (file: string) => Source): LoadedTable {
  const fallback = table.default === undefined ? {} : { default: table.default }
  if ('values' in table) return { rows: ofValues(table.values), ...fallback }
  const { bytes, times } = read(table.file)
  const value = decodeFile(table, bytes)
  if (!Array.isArray(value)) {
    if (typeof value !== 'object' || value === null || table.key !== undefined) {
      throw new FileFault('is not a list of rows')
    }
    return { rows: ofValues(Object.fromEntries(Object.entries(value))), ...fallback }
  }
  return { rows: ofRows(value, table, timeReader(times)), ...fallback }
}

type FileTable = Extract<TableDefinition, { readonly file: string }>

function decodeFile({ file, csv }: FileTable, bytes: Uint8Array): unknown {
  try {
    return decodePayload(bytes, file.endsWith('.json') ? ['json'] : [{ csv: csv ?? {} }], limits)
  } catch (error) {
    if (error instanceof DecodeFault) throw new FileFault(error.message)
    throw error
  }
}

function ofValues(values: Readonly<Record<string, unknown>>): LoadedTable['rows'] {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, [{ value, from: null, to: null }]]),
  )
}

type ReadTime = ReturnType<typeof timeReader>

function ofRows(
  rows: readonly unknown[],
  table: FileTable,
  readTime: ReadTime,
): LoadedTable['rows'] {
  const { key, value, from, to } = table
  if (key === undefined) throw new FileFault('needs a key: the name of a column')
  const byKey = new Map<string, LoadedTable['rows'][string]>()
  rows.forEach((row: unknown, index) => {
    if (typeof row !== 'object' || row === null) throw inRow(index, 'is not an object')
    const cells = new Map(Object.entries(row))
    const cell = (column: string): unknown => {
      if (cells.has(column)) return cells.get(column)
      throw inRow(index, `has no column ${column}; it has ${[...cells.keys()].join(', ')}`)
    }
    const moment = (column: string | undefined) =>
      column === undefined ? null : toMoment(cell(column), { readTime, index })
    const entry = {
      value: value === undefined ? row : cell(value),
      from: moment(from),
      to: moment(to),
    }
    const written = String(cell(key))
    const before = byKey.get(written)
    if (before === undefined) byKey.set(written, [entry])
    else if (from === undefined && to === undefined)
      throw inRow(index, `has the key ${written} again`)
    else before.push(entry)
  })
  return Object.fromEntries(byKey)
}

function toMoment(
  cell: unknown,
  { readTime, index }: { readonly readTime: ReadTime; readonly index: number },
): number | null {
  try {
    const time = readTime(cell, undefined, undefined)
    return time === undefined ? null : Date.parse(time)
  } catch (error) {
    if (error instanceof ExpressionFault) throw inRow(index, error.message)
    throw error
  }
}

/** Returns the fault of a row. Rows are counted from 1, without the header. */
function inRow(index: number, reason: string): FileFault {
  return new FileFault(`row ${String(index + 1)} ${reason}`)
}
