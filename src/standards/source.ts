import type { Wrong } from '../definitions/index.ts'
import { suggest } from '../lang/index.ts'
import { fieldsOf, isObject, numberOf } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'
import type { CurrentStation } from '../timeseries/index.ts'

/**
 * The source of a value of a standard: a path such as `metadata.total-bays` or
 * `value.number-available`, a list of sources of which the first with a valid value is used, or one
 * of the forms below.
 */
export type Source =
  | string
  | readonly Source[]
  | { readonly const: unknown }
  /** The value to which the table maps what is found. */
  | { readonly from: Source; readonly map: Members; readonly default?: unknown }
  /** The difference of two numbers, but at least 0. */
  | { readonly minus: readonly [Source, Source] }
  /** A hundredth of a number. */
  | { readonly percent: Source }
  /** Texts by language. */
  | { readonly texts: Readonly<Record<string, Source>> }

type Place = { readonly station: CurrentStation; readonly below: string }

/** Beginnings of paths. A name must follow those that end with a dot. */
const roots: Readonly<Record<string, (place: Place) => unknown>> = {
  name: ({ station }) => station.name,
  code: ({ station }) => station.code,
  origin: ({ station }) => station.origin,
  active: ({ station }) => station.active,
  parent: ({ station }) => station.parent?.code,
  'metadata.': ({ station, below }) => fieldAt(station.metadata, below),
  // Names of data types may contain dots.
  'value.': ({ station, below }) => station.values[below]?.value,
  'time.': ({ station, below }) => station.values[below]?.time,
}

function splitPath(path: string): readonly [root: string, below: string] {
  const dot = path.indexOf('.') + 1
  return dot === 0 ? [path, ''] : [path.slice(0, dot), path.slice(dot)]
}

/** Returns the field at a path. Names may contain dots; the longest name that exists is used. */
function fieldAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const fields: Members = { ...value }
  if (Object.hasOwn(fields, path)) return fields[path]
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const name = path.slice(0, dot)
    if (Object.hasOwn(fields, name)) return fieldAt(fields[name], path.slice(dot + 1))
  }
  return undefined
}

/** Returns the values of a source in order of preference. The first valid one is used. */
export function valuesOf(source: Source, station: CurrentStation): readonly unknown[] {
  if (typeof source === 'string') {
    const [root, below] = splitPath(source)
    const value = roots[root]?.({ station, below })
    return value === undefined || value === null ? [] : [value]
  }
  if (isList(source)) return source.flatMap((one) => valuesOf(one, station))
  if ('const' in source) return [source.const]
  if ('from' in source) {
    const found = valuesOf(source.from, station)
      // An object from outside may not be convertible to a string: it may have a field that is
      // called toString.
      .filter((one) => typeof one !== 'object')
      .map(String)
    const mapped = found
      .filter((one) => Object.hasOwn(source.map, one))
      .map((one) => source.map[one])
    return source.default === undefined ? mapped : [...mapped, source.default]
  }
  if ('minus' in source) {
    const [whole, part] = source.minus.map((one) => firstNumber(one, station))
    return whole === undefined || part === undefined ? [] : [Math.max(0, whole - part)]
  }
  if ('percent' in source) {
    const number = firstNumber(source.percent, station)
    return number === undefined ? [] : [number / 100]
  }
  const texts = Object.entries(source.texts).map(
    ([language, one]) => [language, valuesOf(one, station)[0]] as const,
  )
  return [Object.fromEntries(texts.filter(([, text]) => text !== undefined))]
}

function isList(source: Source): source is readonly Source[] {
  return Array.isArray(source)
}

function firstNumber(source: Source, station: CurrentStation): number | undefined {
  return valuesOf(source, station)
    .map(numberOf)
    .find((number) => number !== undefined)
}

/** Returns the data types whose values a source uses. */
export function dataTypesIn(source: Source): readonly string[] {
  return pathsIn(source)
    .map(splitPath)
    .flatMap(([root, below]) => (root === 'value.' || root === 'time.' ? [below] : []))
}

export function readsMetadata(source: Source): boolean {
  return pathsIn(source).some((path) => path.startsWith('metadata.'))
}

function pathsIn(source: Source): readonly string[] {
  if (typeof source === 'string') return [source]
  return partsOf(source).flatMap(([, part]) => pathsIn(part))
}

/** Returns the sources that are nested in a source, with their paths. */
function partsOf(source: Source): readonly (readonly [readonly (string | number)[], Source])[] {
  if (typeof source === 'string') return []
  if (isList(source)) return source.map((one, index) => [[index], one])
  if ('from' in source) return [[['from'], source.from]]
  if ('minus' in source) return source.minus.map((one, index) => [['minus', index], one])
  if ('percent' in source) return [[['percent'], source.percent]]
  if (!('texts' in source)) return []
  return Object.entries(source.texts).map(([language, one]) => [['texts', language], one])
}

const forms = 'a path, a list of them, const, from with map, minus, percent or texts'

/** Checks a value that a definition uses as a source. */
export function sourceFaults(written: unknown): readonly Wrong[] {
  if (typeof written === 'string') return pathFaults(written)
  if (!hasForm(written)) return [{ path: [], reason: `is not a source: use ${forms}` }]
  return partsOf(written).flatMap(([path, part]) =>
    sourceFaults(part).map((fault) => ({ ...fault, path: [...path, ...fault.path] })),
  )
}

export function isSource(written: unknown): written is Source {
  return sourceFaults(written).length === 0
}

function pathFaults(path: string): readonly Wrong[] {
  const [root, below] = splitPath(path)
  if (Object.hasOwn(roots, root) && (below !== '' || !root.endsWith('.'))) return []
  const known = Object.keys(roots)
  const hint = suggest(root, known, `paths begin with ${known.join(', ')}`)
  return [{ path: [], reason: `is not a path: ${JSON.stringify(path)}; ${hint}` }]
}

/**
 * Reports whether a value has the form of a source. The sources nested in it may still be invalid.
 */
function hasForm(written: unknown): written is Exclude<Source, string> {
  if (Array.isArray(written)) return written.length > 0
  const { map, minus, texts } = fieldsOf(written)
  switch (Object.keys(fieldsOf(written)).toSorted().join(' ')) {
    case 'const':
    case 'percent':
      return true
    case 'default from map':
    case 'from map':
      return isObject(map)
    case 'minus':
      return Array.isArray(minus) && minus.length === 2
    case 'texts':
      return isObject(texts)
    default:
      return false
  }
}
