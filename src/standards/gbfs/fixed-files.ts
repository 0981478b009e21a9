import type { Members } from '../../lang/json.ts'
import type { SystemDefinition } from './definition.ts'
import { manifestPath } from './documents.ts'
import type { File } from './documents.ts'
import { pricingPlans, systemInformation, vehicleTypes } from './fields.ts'
import type { Form } from './kinds.ts'
import { licenceOf } from './licences.ts'
import type { System } from './load-systems.ts'
import { printFields, readFields } from './table.ts'
import type { Table, Values } from './table.ts'
import { printZone, zoneRules, zones } from './zones.ts'

type Deps = {
  /** Without a slash at the end. */
  readonly publicUrl: string
  /** Where the file names no licence: by origin in lower case, or `*`. */
  readonly licences: ReadonlyMap<string, string>
}

/** What stands in the system's file alone. */
export function fixedFiles({ definition, stated }: System, deps: Deps): readonly File[] {
  const { languages } = definition
  const information = readFields(systemInformation, definition.system_information, languages)
  const file = (name: string, data: File['data']): File => ({
    name,
    changed: stated,
    isLocalized: true,
    data,
  })
  const read = (table: Table, items: readonly Members[] = []) =>
    items.map((item) => readFields(table, item, languages))
  const types = read(vehicleTypes, definition.vehicle_types)
  const plans = read(pricingPlans, definition.system_pricing_plans)
  const areas = read(zones, definition.geofencing_zones)
  const rules = read(zoneRules, definition.global_rules)
  const print = (table: Table, items: readonly Values[], form: Form) =>
    items.map((item) => printFields(table, item, form))
  return [
    file('system_information', (form) => ({
      ...identity(definition, form, deps),
      ...printFields(systemInformation, information, form),
    })),
    file('vehicle_types', (form) => ({ vehicle_types: print(vehicleTypes, types, form) })),
    ...(plans.length === 0
      ? []
      : [file('system_pricing_plans', (form) => ({ plans: print(pricingPlans, plans, form) }))]),
    ...(areas.length === 0
      ? []
      : [
          file('geofencing_zones', (form) => ({
            geofencing_zones: {
              type: 'FeatureCollection',
              features: areas.map((area) => printZone(area, form)),
            },
            ...(form.version === '3.0' ? { global_rules: print(zoneRules, rules, form) } : {}),
          })),
        ]),
  ]
}

/** What of the system is not said by a table of fields. */
function identity(
  { system_id, languages, license, stations, vehicles }: SystemDefinition,
  { version, language }: Form,
  { publicUrl, licences }: Deps,
): Members {
  const origin = (stations ?? vehicles)?.origins?.[0]?.toLowerCase() ?? '*'
  const written = license ?? licences.get(origin) ?? licences.get('*')
  const { identifier, url } = (written === undefined ? undefined : licenceOf(written)) ?? {}
  const address = url === undefined ? {} : { license_url: url }
  if (version === '2.3') return { system_id, language, ...address }
  return {
    system_id,
    languages,
    ...(identifier === undefined ? address : { license_id: identifier }),
    manifest_url: `${publicUrl}${manifestPath}`,
  }
}
