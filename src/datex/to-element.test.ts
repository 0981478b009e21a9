import { describe, expect, it } from 'vitest'
import { readXml } from '../../test/contract/datex/xml-tree.ts'
import { toElement } from './to-element.ts'
import { recordTypes, version2 } from './version-2.ts'
import { toXml } from './xml.ts'

/** Writes a value and returns the XML, without its declaration, and the notes. */
function write(type: string, value: unknown) {
  const notes: string[] = []
  const written = toElement({ name: 'x', type }, value, {
    model: version2,
    note: (detail) => notes.push(detail),
  })
  const xml = written && toXml(written).split('\n').slice(1).join('\n').trim()
  return { xml, notes }
}

describe('the tables', () => {
  it('name only types that can be written', () => {
    const members = [...version2.types.values()].flatMap((type) => type.members)
    const unknown = members.filter(
      ({ type }) =>
        !version2.types.has(type) && !version2.converterOf(type) && type !== 'MultilingualString',
    )
    expect(unknown).toEqual([])
    expect(members.filter(({ min, max }) => !(min >= 0 && max >= 1))).toEqual([])
  })

  it('have 30 concrete situation record types, whose fallbacks can all be written', () => {
    expect(Object.keys(recordTypes)).toHaveLength(30)
    for (const name of Object.keys(recordTypes)) {
      const { ancestors, members = [] } = version2.types.get(name) ?? {}
      expect(ancestors?.at(-1)).toBe('SituationRecord')
      for (const member of members.filter(({ fallback }) => fallback !== undefined)) {
        expect(
          toElement(member, member.fallback, { model: version2, note: () => undefined }),
        ).toBeDefined()
      }
    }
  })

  it('put inherited fields first', () => {
    const names = version2.types.get('SpeedManagement')?.members.map(({ name }) => name) ?? []
    const order = [
      'validity',
      'management',
      'actionOrigin',
      'complianceOption',
      'speedManagementType',
    ]
    expect(names.filter((name) => order.includes(name))).toEqual(order)
  })
})

describe('toElement', () => {
  it('writes fields in the order of the schema, not in the order of the value', () => {
    const { xml } = write('PointCoordinates', { longitude: 11.6380410572096, latitude: -46 })
    expect(xml).toBe('<x><latitude>-46</latitude><longitude>11.6380410572096</longitude></x>')
  })

  it('leaves out unknown fields, and suggests the correct name', () => {
    const { xml, notes } = write('Impact', { numberOfLanesRestrictd: 1, capacityRemaining: '40' })
    expect(xml).toBe('<x><capacityRemaining>40</capacityRemaining></x>')
    expect(notes).toEqual([
      'numberOfLanesRestrictd is not a field of Impact. Did you mean numberOfLanesRestricted?',
    ])
  })

  it('leaves out an invalid optional value, and uses a fallback for a required one', () => {
    expect(
      write('UrlLink', { urlLinkAddress: 'https://a.example/b', urlLinkType: 'page' }),
    ).toEqual({
      xml: '<x><urlLinkAddress>https://a.example/b</urlLinkAddress></x>',
      notes: ['urlLinkType: page cannot be a UrlLinkTypeEnum.'],
    })
    const header = write('HeaderInformation', { confidentiality: 'secret' })
    expect(header.xml).toContain('<confidentiality>noRestriction</confidentiality>')
    expect(header.notes).toEqual(['confidentiality: secret cannot be a ConfidentialityValueEnum.'])
  })

  it('refuses a structure if a required field is missing and has no fallback', () => {
    const { xml, notes } = write('PointCoordinates', { latitude: Number.NaN, longitude: 1 })
    expect(xml).toBeUndefined()
    expect(notes).toContain('latitude: NaN cannot be a Float.')
  })

  it('writes the concrete type of an abstract one, and refuses any other', () => {
    const cause = { type: 'NonManagedCause', causeType: 'poorWeather' }
    expect(write('Cause', cause).xml).toBe(
      '<x xsi:type="NonManagedCause"><causeType>poorWeather</causeType></x>',
    )
    for (const type of ['Cause', 'Point', 'constructor', 7, undefined]) {
      expect(write('Cause', { ...cause, type }).xml).toBeUndefined()
    }
  })

  it('cuts the values of a field at the maximum, and refuses fewer than the minimum', () => {
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    const week = write('DayWeekMonth', { applicableDay: [...days, 'monday'] })
    expect(week.xml?.match(/<applicableDay>/g)).toHaveLength(7)
    expect(week.notes).toEqual(['applicableDay: only 7 of 8 values are allowed.'])
    const point = { type: 'Point', locationForDisplay: { latitude: 46, longitude: 11 } }
    const group = { locationContainedInGroup: [point] }
    expect(write('NonOrderedLocationGroupByList', group).xml).toBeUndefined()
  })

  it('writes fixed attributes, and requires the others', () => {
    const reference = { id: 'a', version: '2' }
    expect(write('_SituationVersionedReference', reference).xml).toBe(
      '<x id="a" version="2" targetClass="Situation"></x>',
    )
    expect(write('_SituationVersionedReference', { id: 'a' }).xml).toBeUndefined()
  })

  it('writes texts of all languages, without the attribute if the language is unknown', () => {
    const { xml = '' } = write('MultilingualString', {
      de: 'eins',
      pt_BR: 'um',
      '??': 'x',
      '': 'y',
    })
    const values = readXml(xml).children[0]?.children
    expect(values?.map(({ attributes, text }) => [attributes['lang'], text])).toEqual([
      ['de', 'eins'],
      ['pt-BR', 'um'],
      [undefined, 'x'],
      [undefined, 'y'],
    ])
    expect(write('MultilingualString', {}).xml).toBeUndefined()
  })
})

describe('simple values', () => {
  it.each([
    ['DateTime', '2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
    ['DateTime', '2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
    ['DateTime', '2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['DateTime', new Date('0001-01-01T00:00:00Z'), '0001-01-01T00:00:00.000Z'],
    ['Time', '06:30:00', '06:30:00'],
    ['Boolean', 'true', 'true'],
    ['Boolean', '1', 'true'],
    ['Boolean', 0, 'false'],
    ['Float', '1e-7', '1e-7'],
    ['Tonnes', ' 7.5', '7.5'],
    ['NonNegativeInteger', 3, '3'],
    ['Url', 'https://example.org/ü?a=b c', 'https://example.org/%C3%BC?a=b%20c'],
    ['String', 12, '12'],
  ])('%s writes %s as %s', (type, value, text) => {
    expect(version2.converterOf(type)?.(value)).toBe(text)
  })

  it.each([
    ['DateTime', 'yesterday'],
    ['DateTime', new Date(Number.NaN)],
    ['DateTime', new Date('+010000-01-01T00:00:00Z')],
    ['DateTime', new Date('-000001-01-01T00:00:00Z')],
    ['Time', '25:00:00'],
    ['Boolean', 'yes'],
    ['Boolean', 2],
    ['Boolean', { toString: 1 }],
    ['Float', Number.POSITIVE_INFINITY],
    ['Float', ''],
    ['Float', null],
    ['NonNegativeInteger', -1],
    ['NonNegativeInteger', 1.5],
    ['NonNegativeInteger', 1e21],
    ['Url', 'javascript:alert(1)'],
    ['Url', 'https://example.org/%zz'],
    ['Url', 'somewhere'],
    ['SeverityEnum', 'High'],
    ['String', {}],
  ])('%s refuses %s', (type, value) => {
    expect(version2.converterOf(type)?.(value)).toBeUndefined()
  })

  it('cuts texts at 1024 characters, never within a surrogate pair', () => {
    expect(version2.converterOf('String')?.('x'.repeat(2000))).toHaveLength(1024)
    expect(version2.converterOf('String')?.(`${'x'.repeat(1023)}😀`)).toBe('x'.repeat(1023))
  })
})
