/**
 * Prints the types that the hub can write: `src/datex/schema-2.json` from the schema of DATEX II
 * v2, and `src/datex/schema-3.json` from the folder that holds the schemas of v3:
 *
 * node scripts/datex-schema.ts DATEXIISchema_2_2_3.xsd > src/datex/schema-2.json
 * node scripts/datex-schema.ts datex3/ > src/datex/schema-3.json
 */
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import type { Schema, TypeSpec } from '../src/datex/model.ts'
import type { SimpleSpec } from '../src/datex/values.ts'

type Mutable = {
  parent?: string
  abstract?: boolean
  derived?: boolean
  attributes?: Record<string, string>
  readonly members: Record<string, string>
}

/** The part of one version of the schema that is extracted. */
type Extract = {
  /**
   * Types that publications consist of. Every type derived from an extracted type is extracted too.
   */
  readonly roots: readonly string[]
  /** Base types of which only the descendants that a field refers to are needed. */
  readonly openEnded: readonly string[]
  readonly omitted: RegExp
  readonly omittedMembers: readonly string[]
  /** The type of multilingual texts, which are written separately. */
  readonly texts: string
}

/**
 * Omits extensions and references to tables that the hub does not have: locations (Alert-C, TPEG,
 * OpenLR) and signs.
 */
const version2: Extract = {
  roots: ['InternationalIdentifier', 'HeaderInformation', 'Situation'],
  openEnded: ['Reference', 'VersionedReference', 'DataValue'],
  omitted:
    /^(AlertC|Tpeg|Openlr|PointAlong|Itinerary|Destination|VmsFault|VmsUnitFault|VmsDynamic|VmsManaged|TextDisplayArea|_Vms(Message)?PictogramDisplay|_(?!Area)\w*ExtensionType|Generic|\w+ByReference)/,
  omittedMembers: ['vmsLocationOverride'],
  texts: 'MultilingualString',
}

/**
 * Omits the same as v2, and what no station provides: prices, other fuels, pictures, routes and
 * campuses of car parks.
 */
const version3: Extract = {
  roots: [
    'com:PayloadPublication',
    'aegi:EnergyInfrastructureTablePublication',
    'aegi:EnergyInfrastructureStatusPublication',
    'prk:ParkingTablePublication',
    'prk:ParkingStatusPublication',
    'sit:SituationPublication',
  ],
  openEnded: [
    'com:PayloadPublication',
    'com:Reference',
    'com:VersionedReference',
    'com:DataValue',
    'com:GlobalReference',
    'afac:FacilityObject',
    'afac:Facility',
    'afac:FacilityObjectStatus',
    'afac:FacilityStatus',
    'fac:FacilityObject',
    'fac:Facility',
    'fac:FacilityObjectStatus',
    'fac:FacilityStatus',
  ],
  omitted:
    /^((cz|roa|vms|tmp|tro|rer|ubx|fst|comx):|loc:(AlertC|Tpeg|Openlr|Itinerary|\w*Destination)|\w+:(Generic(?!SituationRecord)|\w+ByReference)|\w+:_(?!Location\w*ExtensionType)\w*ExtensionType|a?fac:(Supplemental|Image|Rates|Closure|Amenities|Eligibility)|aegi:(Alternative|Petrol|Diesel|Hydrogen|ElectricEnergy|Energy(Product|Rate|Price)|PlannedRefill)|prk:(Access|AdditionalCh|Campus|Demand|Identified|Marketing|OperatingPatternStatus|OperatorDefined|ParkingRoute|ParkingVms|PermitsAnd|PointLocation|Responsib|RelatedLocation|RgbColour|RoadInformation|Safety|Threshold|VehicleCount))/,
  omittedMembers: [],
  texts: 'com:MultilingualString',
}

/** Extracts the part of the v2 schema that is reachable from its roots. */
export function readSchema(xsd: string): Pick<Schema, 'types' | 'enumerations'> {
  const { types, enumerations } = extract(parseSchema(xsd, '', version2), version2)
  return { types, enumerations }
}

/**
 * Extracts the part of the v3 schema that is reachable from its roots, from all files of the
 * schema.
 */
export function readSchema3(files: readonly string[]): Schema {
  const namespaces = new Map<string, string>()
  for (const xsd of files) {
    const [, target = ''] = /targetNamespace="([^"]+)"/.exec(xsd) ?? []
    const [, prefix = ''] = new RegExp(`xmlns:(\\w+)="${target}"`).exec(xsd) ?? []
    namespaces.set(prefix, target)
  }
  const parsed = [...namespaces.keys()].map((prefix, index) =>
    parseSchema(files[index] ?? '', `${prefix}:`, version3),
  )
  const all = {
    types: new Map(parsed.flatMap(({ types }) => [...types])),
    enumerations: new Map(parsed.flatMap(({ enumerations }) => [...enumerations])),
    simple: new Map(parsed.flatMap(({ simple }) => [...simple])),
  }
  settle(all)
  const { types, enumerations, simple = {} } = extract(all, version3)
  const used = new Set(Object.keys(types).map((name) => name.split(':')[0] ?? ''))
  return {
    namespaces: Object.fromEntries(
      [...namespaces].filter(([prefix]) => used.has(prefix) || prefix === 'd2').sort(),
    ),
    types,
    enumerations,
    simple,
  }
}

type Parsed = {
  readonly types: Map<string, Mutable>
  readonly enumerations: Map<string, string[]>
  readonly simple: Map<string, SimpleSpec>
}

/**
 * Marks types that others derive from, and replaces the name of each simple type that adds no
 * restriction with the name of its base type.
 */
function settle({ types, enumerations, simple }: Parsed): void {
  for (const type of types.values()) {
    if (type.parent !== undefined) {
      const parent = types.get(type.parent)
      if (parent !== undefined) parent.derived = true
    }
    for (const [name, text] of Object.entries(type.members)) {
      const of = typeOf(text)
      const plain = of.replace(/:_/, ':')
      type.members[name] =
        (enumerations.has(plain) ? plain : toBase(of, simple)) + text.slice(of.length)
    }
  }
  for (const [name, values] of enumerations) {
    // An extensible enumeration has the value "_extended", with the actual value in an attribute.
    enumerations.set(
      name,
      values.filter((value) => value !== '_extended'),
    )
  }
}

/** Resolves a simple type to its base: `aegi:Watt` → `Float`. A type with facets keeps its name. */
function toBase(name: string, simple: Parsed['simple']): string {
  const { base, ...facets } = simple.get(name) ?? { base: '' }
  if (base === '') return name
  if (base.startsWith('xs:')) return name.replace(/^.*:/, '')
  if (Object.keys(facets).length === 0) return toBase(base, simple)
  simple.set(name, { base: toBase(base, simple), ...facets })
  return name
}

function extract({ types, enumerations, simple }: Parsed, version: Extract): Schema {
  const used = new Set<string>()
  const add = (name: string) => {
    const type = types.get(name)
    const isSimple = enumerations.has(name) || simple.has(name)
    if (used.has(name) || name === version.texts || (type === undefined && !isSimple)) return
    used.add(name)
    if (type === undefined) {
      add(extensionOf(name))
      return
    }
    if (type.parent !== undefined) add(type.parent)
    for (const member of Object.values(type.members)) add(typeOf(member))
    if (version.openEnded.includes(name)) return
    for (const [other, { parent }] of types) {
      if (parent === name && !version.omitted.test(other)) add(other)
    }
  }
  version.roots.forEach(add)
  const only = <Value>(all: ReadonlyMap<string, Value>) =>
    Object.fromEntries([...all].filter(([name]) => used.has(name)))
  return { types: only<TypeSpec>(types), enumerations: only(enumerations), simple: only(simple) }
}

/**
 * A file being parsed. Names that it defines get its prefix; references to other files have theirs
 * already.
 */
type Reading = Parsed & { readonly prefix: string; readonly version: Extract }

type Handlers = Readonly<Record<string, (attributes: Attributes) => void>>

function parseSchema(xsd: string, prefix: string, version: Extract): Parsed {
  const reading: Reading = {
    types: new Map(),
    enumerations: new Map(),
    simple: new Map(),
    prefix,
    version,
  }
  const starts: Handlers = { ...handleTypes(reading), ...handleValues(reading) }
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => starts[name]?.(attributes))
  parser.write(xsd).close()
  const { types, enumerations, simple } = reading
  for (const [name, { length }] of enumerations) {
    if (length === 0) enumerations.delete(name)
    else simple.delete(name)
  }
  return { types, enumerations, simple }
}

function handleTypes({ types, prefix, version }: Reading): Handlers {
  const isThird = prefix !== ''
  const qualified = (name: string) => (isThird ? name : localName(name))
  let type: Mutable = { members: {} }
  return {
    'xs:complexType': ({ name = '', abstract }) => {
      type = { ...(abstract === 'true' ? { abstract: true } : {}), members: {} }
      types.set(prefix + name, type)
    },
    'xs:extension': ({ base = '' }) => {
      type.parent = qualified(base)
    },
    'xs:element': ({ name = '', type: of = '', minOccurs = '1', maxOccurs = '1' }) => {
      const member = qualified(of)
      if (version.omitted.test(member) || version.omittedMembers.includes(name)) return
      type.members[name] = member + quantifier(minOccurs, maxOccurs)
    },
    'xs:attribute': ({ name = '', type: of = '', use, fixed }) => {
      const rule = fixed === undefined ? attributeRules.get(localName(of)) : `=${fixed}`
      const isWanted = use === 'required' || (isThird && of === 'xs:string')
      if (!isWanted || rule === undefined || name === '_extendedValue') return
      type.attributes = { ...type.attributes, [name]: rule + (use === 'required' ? '' : '?') }
    },
  }
}

function handleValues({ enumerations, simple, prefix }: Reading): Handlers {
  let values: string[] = []
  let restricted = ''
  const facet = (name: keyof SimpleSpec, toFacet: (text: string) => number | string) => {
    return ({ value = '' }: Attributes) => {
      const spec = simple.get(restricted)
      if (spec !== undefined && !spec.base.startsWith('xs:')) {
        simple.set(restricted, { ...spec, [name]: toFacet(value) })
      }
    }
  }
  return {
    'xs:simpleType': ({ name = '' }) => {
      values = []
      restricted = prefix + name
      enumerations.set(restricted, values)
    },
    'xs:restriction': ({ base = '' }) => {
      if (prefix !== '') simple.set(restricted, { base })
    },
    'xs:enumeration': ({ value = '' }) => {
      values.push(value)
    },
    'xs:maxLength': facet('longest', Number),
    'xs:pattern': facet('pattern', String),
    'xs:maxInclusive': facet('most', Number),
  }
}

type Attributes = Readonly<Record<string, string>>

const attributeRules = new Map([
  ['string', 'text'],
  ['int', 'index'],
  ['Integer', 'index'],
  ['NonNegativeInteger', 'index'],
  ['Language', 'language'],
])

function localName(name: string): string {
  return name.replace(/^.*:/, '')
}

/** Returns the type that the schema uses for additional values of an enumeration. */
function extensionOf(enumeration: string): string {
  return enumeration.replace(/(\w+)$/, '_$1ExtensionType')
}

function typeOf(member: string): string {
  return member.replace(/[?*+{].*$/, '')
}

/** Returns a quantifier in the notation of regular expressions; empty for exactly one. */
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

const [, , path] = process.argv
if (import.meta.main) {
  if (path === undefined) {
    console.error(
      'Give the schema file of v2 or the folder of v3, such as DATEXIISchema_2_2_3.xsd.',
    )
    process.exitCode = 2
  } else {
    const read = (file: string) => readFileSync(file, 'utf8')
    const schema = statSync(path).isDirectory()
      ? readSchema3(
          readdirSync(path)
            .sort()
            .map((name) => read(join(path, name))),
        )
      : readSchema(read(path))
    process.stdout.write(`${JSON.stringify(schema, null, 2)}\n`)
  }
}
