import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSystem } from './definition.ts'
import { loadSystems } from './load-systems.ts'

const good = `system_id: a
languages: [de, it]
system_information:
  name: { de: Räder }
  opening_hours: 24/7
  feed_contact_email: a@b.example
  timezone: Europe/Rome
vehicle_types:
  - { vehicle_type_id: bike, form_factor: bicycle, propulsion_type: human }
stations:
  type: BikesharingStation
  fields:
    num_vehicles_available: value.number-available
`

const faultsOf = (text: string) => {
  const read = readSystem(text, 'a.yaml')
  return read.kind === 'wrong'
    ? read.faults.map(({ line, reason }) => `${String(line)}: ${reason}`)
    : []
}

describe('The file of a system', () => {
  it.each<[string, string, string]>([
    ['system_id: a', 'system_id: a/b', '1: system_id'],
    ['[de, it]', '[deutsch]', '2: languages.0'],
    ['timezone: Europe/Rome', 'timezone: Rome', 'system_information.timezone must be a time zone'],
    ['a@b.example', 'nobody', '6: system_information.feed_contact_email must be an email address'],
    ['  opening_hours: 24/7\n', '', 'system_information.opening_hours is required'],
    [
      'name: { de: Räder }',
      'nam: Räder',
      '4: system_information.nam is not a known field; did you mean name?',
    ],
    [
      'form_factor: bicycle',
      'form_factor: bike',
      '9: vehicle_types.0.form_factor must be one of bicycle,',
    ],
    [
      'human',
      'electric',
      '9: vehicle_types.0.max_range_meters is required of a vehicle with a motor',
    ],
    ['human }', 'human, available: name }', 'vehicle_types.0.available is not for the first type'],
    ['human }', 'human, default_pricing_plan_id: p }', 'there is no plan "p"'],
    [
      'human }',
      'human }\n  - { vehicle_type_id: bike, form_factor: car, propulsion_type: human }',
      '10: vehicle_types.1.vehicle_type_id "bike" is used twice',
    ],
    [
      'value.number-available',
      'valu.number-available',
      '13: stations.fields.num_vehicles_available is not a path: "valu.number-available"; did you mean value.?',
    ],
    [
      'num_vehicles_available',
      'num_bikes_available',
      '13: stations.fields.num_bikes_available is not a known field; did you mean',
    ],
    [
      '  type: BikesharingStation\n',
      '  type: B\n  required: [capacty]\n',
      'stations.required.0 is not a field of stations',
    ],
    ['system_id: a\n', 'system_id: a\nlicense: mine\n', '2: license must be the SPDX identifier'],
    ['system_id: a\n', 'system_id: a\ntl: 60\n', '2: tl is not a known field. Did you mean ttl?'],
    [
      'system_id: a\n',
      'system_id: a\nvehicles: { type: Bicycle, fields: {} }\n',
      'vehicles.fields.is_available is required',
    ],
    [
      'system_id: a\n',
      'system_id: a\nvehicles: { type: Bicycle, fields: { is_available: active } }\n',
      'vehicles.fields.is_available must read a value or metadata',
    ],
    [
      'system_id: a\n',
      'system_id: a\ngeofencing_zones: [{ geometry: [[[[11, 46], [11, 47], [12, 47], [11, 47]]]] }]\n',
      '2: geofencing_zones.0.geometry must be the coordinates of a MultiPolygon',
    ],
    [
      '  timezone',
      '  terms_url: https://a.example\n  timezone',
      'system_information.terms_url needs terms_last_updated',
    ],
  ])('with %j replaced by %j is refused', (written, instead, fault) => {
    expect(faultsOf(good)).toEqual([])
    expect(faultsOf(good.replace(written, instead))).toContainEqual(expect.stringContaining(fault))
  })

  it('needs stations or vehicles', () => {
    const [head = ''] = good.split('stations:')
    expect(faultsOf(head)).toEqual(['1: The system needs stations or vehicles'])
  })
})

describe('A folder of systems', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gbfs-'))
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
  })

  it('reports the faults of all files together, with their positions', async () => {
    await writeFile(join(folder, 'a.yaml'), good)
    await writeFile(join(folder, 'b.yaml'), good)
    await writeFile(join(folder, 'c.yml'), good.replace('system_id: a', 'system: c'))
    await writeFile(join(folder, 'README.md'), '')
    const error: unknown = await loadSystems(folder).catch((thrown: unknown) => thrown)
    expect(String(error)).toBe(`DefinitionError: The systems of HUB_GBFS cannot be used:
  - b.yaml: has the system_id a, which a.yaml has, too
  - c.yml:1:1: system_id is required
  - c.yml:1:9: system is not a known field`)
  })

  it('must exist', async () => {
    await expect(loadSystems(join(folder, 'nowhere'))).rejects.toThrow('there is no such folder')
    expect(await loadSystems(undefined)).toEqual([])
    expect(await loadSystems(folder)).toEqual([])
  })
})
