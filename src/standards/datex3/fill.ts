import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { version3 } from '../../datex/index.ts'
import { fieldsOf } from '../../lang/json.ts'
import type { CurrentStation } from '../../timeseries/index.ts'
import { dataTypesIn, sourceFaults, valuesOf } from '../source.ts'
import type { Source } from '../source.ts'
import { shapes } from './shapes.ts'

/**
 * The value of an element for a station. An element that consists of constants only is left out.
 */
type Filled = { readonly value: unknown; readonly isKnown: boolean } | undefined

type Fill = {
  readonly run: (station: CurrentStation) => Filled
  readonly dataTypes: readonly string[]
}

/** Fills the elements of a type from the data of a station. */
export type Filler = {
  readonly fill: (station: CurrentStation) => Readonly<Record<string, unknown>>
  readonly dataTypes: readonly string[]
}

/**
 * Compiles a part of a table whose fields are elements of a type of the schema.
 * @throws TypeError for an element that the type does not have, or for an invalid source
 */
export function toFiller(template: unknown, typeName: string): Filler {
  const { run, dataTypes } = toStructure(template, typeName, [typeName])
  return { fill: (station) => fieldsOf(run(station)?.value), dataTypes }
}

type Path = readonly string[]

function fail(path: Path, reason: string): never {
  throw new TypeError(`${path.join('.')}: ${reason}`)
}

function toFill(template: unknown, typeName: string, path: Path): Fill {
  const isSimple = version3.converterOf(typeName) !== undefined || typeName === version3.texts
  if (isSimple) return toLeaf(template, typeName, path)
  if ('as' in fieldsOf(template)) return toLeaf(template, typeName, path)
  return toStructure(template, typeName, path)
}

function toStructure(template: unknown, declared: string, path: Path): Fill {
  const { [version3.typeField]: named = declared, ...fields } = fieldsOf(template)
  const type = version3.types.get(String(named))
  if (type === undefined || Object.keys(fields).length === 0) {
    return fail(path, `cannot be a ${String(named)}`)
  }
  const fills = Object.entries(fields).map(([name, below]) => {
    const member = type.members.find((each) => each.name === name)
    const isAttribute = type.attributes.some(([attribute]) => attribute === name)
    if (member === undefined && !isAttribute) return fail([...path, name], 'is not an element here')
    const fill = toFill(below, member?.type ?? 'String', [...path, name])
    return { name, fill }
  })
  return {
    dataTypes: fills.flatMap(({ fill }) => fill.dataTypes),
    run: (station) => {
      const value: Record<string, unknown> =
        type.name === declared ? {} : { [version3.typeField]: type.name }
      let isKnown = false
      for (const { name, fill } of fills) {
        const filled = fill.run(station)
        if (filled === undefined) continue
        value[name] = filled.value
        isKnown ||= filled.isKnown
      }
      return isKnown || path.length === 1 ? { value, isKnown } : undefined
    },
  }
}

/** Compiles an element without nested ones. It gets the first valid value of its sources. */
function toLeaf(template: unknown, typeName: string, path: Path): Fill {
  const candidates = toCandidates(template, typeName, path)
  const isKnown = !('const' in fieldsOf(template))
  return {
    dataTypes: candidates.dataTypes,
    run: (station) => {
      for (const candidate of candidates.run(station)) {
        const items: readonly unknown[] = Array.isArray(candidate) ? candidate : [candidate]
        const fitting = items.filter((item) => fits(item, typeName))
        if (fitting.length > 0) return { value: fitting.length > 1 ? fitting : fitting[0], isKnown }
      }
      return undefined
    },
  }
}

function fits(value: unknown, typeName: string): boolean {
  if (value === undefined || value === null) return false
  if (typeName === version3.texts) {
    const texts = typeof value === 'object' ? Object.values(value) : [value]
    return texts.some((text) => typeof text === 'string' && text.trim() !== '')
  }
  const convert = version3.converterOf(typeName)
  if (convert === undefined) return typeof value === 'object'
  if (convert(value) !== undefined) return true
  return typeof value === 'string' && version3.isExtension(typeName, value)
}

type Candidates = {
  readonly run: (station: CurrentStation) => readonly unknown[]
  readonly dataTypes: readonly string[]
}

/** Compiles alternatives, a shape, a list whose items are translated, or a source. */
function toCandidates(template: unknown, typeName: string, path: Path): Candidates {
  if (Array.isArray(template)) {
    const each = template.map((one: unknown) => toCandidates(one, typeName, path))
    return {
      dataTypes: each.flatMap(({ dataTypes }) => dataTypes),
      run: (station) => each.flatMap(({ run }) => run(station)),
    }
  }
  const { as, of, list, map } = fieldsOf(template)
  if (as !== undefined) {
    const name = typeof as === 'string' ? as : ''
    const shape = shapes[name] ?? fail(path, `there is no shape "${name}"`)
    const { run, dataTypes } = toSource(of, path)
    const place = (station: CurrentStation) => ({ typeName, station })
    return {
      dataTypes,
      run: (station) => run(station).map((value) => shape(value, place(station))),
    }
  }
  if (list === undefined) return toSource(template, path)
  const words = fieldsOf(map)
  const { run, dataTypes } = toSource(list, path)
  return {
    dataTypes,
    run: (station) =>
      run(station).map((found) =>
        (Array.isArray(found) ? found : [found]).flatMap((item: unknown) =>
          typeof item === 'string' && Object.hasOwn(words, item) ? [words[item]] : [],
        ),
      ),
  }
}

/** A value that `sourceFaults` has already checked. */
const checkedSource = Type.Unsafe<Source>(Type.Unknown())

function toSource(written: unknown, path: Path): Candidates {
  const [fault] = sourceFaults(written)
  if (fault !== undefined) return fail([...path, ...fault.path.map(String)], fault.reason)
  const source = Parse(checkedSource, written)
  return { dataTypes: dataTypesIn(source), run: (station) => valuesOf(source, station) }
}
