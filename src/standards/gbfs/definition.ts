import { Type } from 'typebox'
import type { Static } from 'typebox'
import { readDocument } from '../../definitions/index.ts'
import type { DefinitionFault, Wrong } from '../../definitions/index.ts'
import { fieldsOf, listOf as objectsIn, textOf, textsOf } from '../../lang/json.ts'
import { exactly } from '../../lang/schemas.ts'
import { dataTypesIn, isSource, readsMetadata, sourceFaults } from '../source.ts'
import type { Source } from '../source.ts'
import {
  pricingPlans,
  stationInformation,
  stationStatus,
  systemInformation,
  vehicleStatus,
  vehicleTypes,
  zoneRules,
  zones,
} from './fields.ts'
import { languagePattern, licenceOf } from './kinds.ts'
import { fieldFaults, fieldSourceFaults } from './table.ts'
import type { Table } from './table.ts'

/** Sources by field. Their form is checked together with the names of the fields. */
const sources = Type.Unsafe<Readonly<Record<string, Source>>>(Type.Unknown())

/** Values that are checked by the tables of fields. */
const values = Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Unknown())

/** The fields of the table, and the source for the number of vehicles of this type at a station. */
const vehicleType = Type.Unsafe<
  Readonly<Record<string, unknown>> & { readonly available?: Source }
>(Type.Unknown())

const name = (description: string) => Type.String({ minLength: 1, maxLength: 255, description })

const ofType = {
  type: name('Station type'),
  origins: Type.Optional(
    Type.Array(name('Origin'), { minItems: 1, description: 'Default: every origin' }),
  ),
  fields: sources,
}

/**
 * A sharing system: what its operator states, and which data of stations and their latest values
 * feed the fields of GBFS. Names are those of version 3.0.
 */
export const systemDefinition = exactly({
  system_id: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$',
    description: 'Part of the URLs: letters, digits, "_", "." and "-"',
  }),
  ttl: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400, description: 'Default 60' })),
  languages: Type.Array(Type.String({ pattern: languagePattern }), {
    minItems: 1,
    maxItems: 20,
    uniqueItems: true,
    description: 'The main language first',
  }),
  license: Type.Optional(Type.String({ minLength: 1 })),
  system_information: values,
  vehicle_types: Type.Array(vehicleType, { minItems: 1, maxItems: 100 }),
  stations: Type.Optional(
    exactly({ ...ofType, required: Type.Optional(Type.Array(Type.String())) }),
  ),
  vehicles: Type.Optional(exactly(ofType)),
  system_pricing_plans: Type.Optional(Type.Array(values, { minItems: 1, maxItems: 1000 })),
  geofencing_zones: Type.Optional(Type.Array(values, { minItems: 1, maxItems: 1000 })),
  global_rules: Type.Optional(Type.Array(values, { maxItems: 1000 })),
})

export type SystemDefinition = Static<typeof systemDefinition>

/** Name of the source that only vehicle types have: the number of vehicles at a station. */
const ownSource = 'available'
const takesRest = 'is not for the first type, which is what the others leave'

/** Kind of sources that are not fields of the standard, or that refer to other objects of it. */
const more = { kind: { expected: '', read: () => undefined } }
export const stationFields: Table = { ...stationInformation, ...stationStatus }
export const vehicleFields: Table = {
  is_available: { ...more, required: true },
  station_id: more,
  home_station_id: more,
  vehicle_type_id: more,
  pricing_plan_id: more,
  ...vehicleStatus,
}

const tabled = ['system_information', 'vehicle_types', 'system_pricing_plans']
const zoned = ['geofencing_zones', 'global_rules']

const read = readDocument({
  schema: systemDefinition,
  title: 'The system',
  parts: {
    has: ([first = '', , ...below]) => [...tabled, ...zoned].includes(first) && below.length > 0,
    faults: (value) => [
      ...partFaults(fieldsOf(value)),
      ...licenceFaults(fieldsOf(value)),
      ...referenceFaults(fieldsOf(value)),
    ],
  },
})

type ReadSystem =
  | { readonly kind: 'read'; readonly definition: SystemDefinition }
  | { readonly kind: 'wrong'; readonly faults: readonly DefinitionFault[] }

/**
 * Parses the text of a system's file. Pure.
 * @param file its name, for faults
 */
export function readSystem(text: string, file: string): ReadSystem {
  const found = read(text, file)
  return found.kind === 'wrong' ? found : { kind: 'read', definition: found.value }
}

type Parts = Readonly<Record<string, unknown>>

function partFaults(parts: Parts): readonly Wrong[] {
  const languages = textsOf(parts['languages'])
  const within = (path: Wrong['path'], faults: readonly Wrong[]) =>
    faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] }))
  const listed = (name: string, table: Table) =>
    itemsOf(parts[name]).flatMap((item, index) =>
      within([name, index], fieldFaults(table, withoutOwn(item), languages)),
    )
  const sourced = (name: 'stations' | 'vehicles', table: Table) =>
    parts[name] === undefined
      ? []
      : within([name, 'fields'], fieldSourceFaults(table, fieldsOf(parts[name])['fields']))
  return [
    ...within(
      ['system_information'],
      fieldFaults(systemInformation, parts['system_information'], languages),
    ),
    ...listed('vehicle_types', vehicleTypes),
    ...itemsOf(parts['vehicle_types']).flatMap((item, index) => {
      const own = fieldsOf(item)[ownSource]
      if (own === undefined) return []
      const faults = index === 0 ? [{ path: [], reason: takesRest }] : sourceFaults(own)
      return within(['vehicle_types', index, ownSource], faults)
    }),
    ...listed('system_pricing_plans', pricingPlans),
    ...listed('geofencing_zones', zones),
    ...listed('global_rules', zoneRules),
    ...sourced('stations', stationFields),
    ...sourced('vehicles', vehicleFields),
    ...within(['vehicles', 'fields', 'is_available'], tripFaults(parts['vehicles'])),
  ]
}

/** Requires data that shows when a trip ended, because identifiers must change with each trip. */
function tripFaults(vehicles: unknown): readonly Wrong[] {
  const written = fieldsOf(fieldsOf(vehicles)['fields'])['is_available']
  if (written === undefined || !isSource(written)) return []
  const isKnown = dataTypesIn(written).length > 0 || readsMetadata(written)
  return isKnown ? [] : [{ path: [], reason: 'must read a value or metadata' }]
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function withoutOwn(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || !(ownSource in item)) return item
  const { [ownSource]: _, ...fields }: Parts = { ...item }
  return fields
}

function licenceFaults({ license }: Parts): readonly Wrong[] {
  const written = textOf(license)
  if (written === undefined || licenceOf(written) !== undefined) return []
  const reason = 'must be the SPDX identifier of a licence for data, or a URL'
  return [{ path: ['license'], reason }]
}

/** Checks requirements of the standard that concern several fields together. */
function referenceFaults(parts: Parts): readonly Wrong[] {
  const information = fieldsOf(parts['system_information'])
  const [types, plans] = [
    objectsIn(parts['vehicle_types']),
    objectsIn(parts['system_pricing_plans']),
  ]
  const planIds = plans.map(({ plan_id }) => plan_id)
  const typeIds = types.map(({ vehicle_type_id }) => vehicle_type_id)
  return [
    ...(parts['stations'] === undefined && parts['vehicles'] === undefined
      ? [{ path: [], reason: 'needs stations or vehicles' }]
      : []),
    ...['terms', 'privacy'].flatMap((name) =>
      `${name}_url` in information && !(`${name}_last_updated` in information)
        ? [{ path: ['system_information', `${name}_url`], reason: `needs ${name}_last_updated` }]
        : [],
    ),
    ...repeated(typeIds, (index) => ['vehicle_types', index, 'vehicle_type_id']),
    ...repeated(planIds, (index) => ['system_pricing_plans', index, 'plan_id']),
    ...types.flatMap((type, index) =>
      typeFaults(type, planIds).map(({ path, reason }) => ({
        path: ['vehicle_types', index, ...path],
        reason,
      })),
    ),
    ...itemsOf(fieldsOf(parts['stations'])['required']).flatMap((field, index) =>
      Object.hasOwn(stationFields, String(field))
        ? []
        : [{ path: ['stations', 'required', index], reason: 'is not a field of stations' }],
    ),
  ]
}

function repeated(
  ids: readonly unknown[],
  path: (index: number) => Wrong['path'],
): readonly Wrong[] {
  return ids.flatMap((id, index) =>
    id !== undefined && ids.indexOf(id) < index
      ? [{ path: path(index), reason: `${JSON.stringify(id)} is used twice` }]
      : [],
  )
}

function typeFaults(type: Parts, planIds: readonly unknown[]): readonly Wrong[] {
  const { propulsion_type, max_range_meters, default_pricing_plan_id, pricing_plan_ids } = type
  const isMotorless = propulsion_type === undefined || propulsion_type === 'human'
  const named = [
    { path: ['default_pricing_plan_id'], id: default_pricing_plan_id },
    ...itemsOf(pricing_plan_ids).map((id, index) => ({ path: ['pricing_plan_ids', index], id })),
  ]
  return [
    ...(isMotorless || max_range_meters !== undefined
      ? []
      : [{ path: ['max_range_meters'], reason: 'is required of a vehicle with a motor' }]),
    ...named
      .filter(({ id }) => id !== undefined && !planIds.includes(id))
      .map(({ path, id }) => ({ path, reason: `there is no plan ${JSON.stringify(id)}` })),
  ]
}
