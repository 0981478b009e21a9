/**
 * Prints `src/datex/schema-2.json`, the types that the hub can write, from the DATEX II schema:
 *
 *   node scripts/datex-schema.ts DATEXIISchema_2_2_3.xsd > src/datex/schema-2.json
 */
import { readFileSync } from 'node:fs'
import { SaxesParser } from 'saxes'
import type { TypeSpec } from '../src/datex/model.ts'

type Mutable = {
  parent?: string
  abstract?: boolean
  attributes?: Record<string, string>
  readonly members: Record<string, string>
}

export type DatexSchema = {
  readonly types: Readonly<Record<string, TypeSpec>>
  /** The values of each enumeration in the order of the schema. */
  readonly enumerations: Readonly<Record<string, readonly string[]>>
}

/** What a publication consists of; with it comes every kind of situation record. */
const roots = ['InternationalIdentifier', 'HeaderInformation', 'Situation']

/** Of these only the descendants that a member names are of use. */
const openEnded = ['Reference', 'VersionedReference', 'DataValue']

/** Extensions, and references to tables of locations (Alert-C, TPEG, OpenLR) and of signs that the hub does not have. */
const omitted =
  /^(AlertC|Tpeg|Openlr|PointAlong|Itinerary|Destination|VmsFault|VmsUnitFault|VmsDynamic|VmsManaged|TextDisplayArea|_Vms(Message)?PictogramDisplay|_(?!Area)\w*ExtensionType|Generic|\w+ByReference)/

/** Written in a way of its own. */
const texts = 'MultilingualString'

const omittedMembers = ['vmsLocationOverride']

/** The part of the schema that starts at the roots. */
export function readSchema(xsd: string): DatexSchema {
  const { types, enumerations } = parseSchema(xsd)
  const used = new Set<string>()
  const add = (name: string) => {
    const type = types.get(name)
    if (used.has(name) || name === texts || (type === undefined && !enumerations.has(name))) return
    used.add(name)
    if (type === undefined) return
    if (type.parent !== undefined) add(type.parent)
    for (const member of Object.values(type.members)) add(member.replace(/[?*+{].*$/, ''))
    if (openEnded.includes(name)) return
    for (const [other, { parent }] of types) if (parent === name && !omitted.test(other)) add(other)
  }
  roots.forEach(add)
  const only = <Value>(all: ReadonlyMap<string, Value>) =>
    Object.fromEntries([...all].filter(([name]) => used.has(name)))
  return { types: only(types), enumerations: only(enumerations) }
}

function parseSchema(xsd: string) {
  const types = new Map<string, Mutable>()
  const enumerations = new Map<string, string[]>()
  let type: Mutable = { members: {} }
  let values: string[] = []
  const starts: Readonly<Record<string, (attributes: Readonly<Record<string, string>>) => void>> = {
    'xs:complexType': ({ name = '', abstract }) => {
      type = { ...(abstract === 'true' ? { abstract: true } : {}), members: {} }
      types.set(name, type)
    },
    'xs:extension': ({ base = '' }) => {
      type.parent = localName(base)
    },
    'xs:element': ({ name = '', type: of = '', minOccurs = '1', maxOccurs = '1' }) => {
      if (omitted.test(localName(of)) || omittedMembers.includes(name)) return
      type.members[name] = localName(of) + quantifier(minOccurs, maxOccurs)
    },
    'xs:attribute': ({ name = '', type: of, use, fixed }) => {
      if (use !== 'required') return
      const rule = fixed === undefined ? (of === 'xs:int' ? 'index' : 'text') : `=${fixed}`
      type.attributes = { ...type.attributes, [name]: rule }
    },
    'xs:simpleType': ({ name = '' }) => {
      values = []
      enumerations.set(name, values)
    },
    'xs:enumeration': ({ value = '' }) => {
      values.push(value)
    },
  }
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => starts[name]?.(attributes))
  parser.write(xsd).close()
  return { types, enumerations: new Map([...enumerations].filter(([, { length }]) => length > 0)) }
}

function localName(name: string): string {
  return name.replace(/^.*:/, '')
}

/** As in regular expressions; none for exactly one. */
function quantifier(min: string, max: string): string {
  const known = quantifiers.get(`${min} ${max}`)
  return known ?? `{${min},${max === 'unbounded' ? '' : max}}`
}

const quantifiers = new Map([
  ['1 1', ''],
  ['0 1', '?'],
  ['0 unbounded', '*'],
  ['1 unbounded', '+'],
])

const [, , file] = process.argv
if (import.meta.main) {
  if (file === undefined) {
    console.error('Give the schema file: node scripts/datex-schema.ts DATEXIISchema_2_2_3.xsd')
    process.exitCode = 2
  } else {
    process.stdout.write(`${JSON.stringify(readSchema(readFileSync(file, 'utf8')), null, 2)}\n`)
  }
}
