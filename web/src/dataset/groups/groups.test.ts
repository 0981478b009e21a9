import { describe, expect, it } from 'vitest'
import { everything } from '../query/dataset-query.ts'
import type { Dataset } from '../query/dataset-query.ts'
import type { NamedColumn } from '../frame/dataset-view.svelte.ts'
import { aggregatesOf, groupMembers, inLanguage, narrowTo } from './groups.ts'
import type { Group } from './groups.ts'

const column = (path: string, more: Partial<NamedColumn> = {}): NamedColumn => ({
  ...{ path, name: path, kind: 'text', isList: false, isTitle: false, takesToken: false },
  ...{ description: null, deprecated: null, canSort: true, label: null, unit: null, place: null },
  ...more,
})

const columns = [
  column('Type'),
  column('Detail.*.Title', { isTitle: true }),
  column('LocationInfo.MunicipalityInfo.Name.*'),
  column('Altitude', { kind: 'number', place: 1 }),
  column('Active', { kind: 'boolean' }),
  column('LastChange', { kind: 'time' }),
  column('TagIds.[*]', { isList: true }),
  column('@free', { kind: 'value' }),
  column('Secret', { takesToken: true }),
]

it('groups by single-valued fields, default columns first, in the language of texts', () => {
  expect(groupMembers(columns).map(({ path }) => inLanguage(path, 'it'))).toEqual([
    ...['Altitude', 'Type', 'LocationInfo.MunicipalityInfo.Name.it', 'Active'],
  ])
  expect(aggregatesOf('Altitude').map(({ written }) => written)).toEqual([
    ...['min(Altitude)', 'avg(Altitude)', 'max(Altitude)', 'sum(Altitude)'],
  ])
})

describe('the records of a group', () => {
  const chosen = groupMembers(columns)
  const paths = chosen.map(({ path }) => inLanguage(path, 'de'))
  const whole: Group = { Type: "Gast'hof", Altitude: 1200, Active: true, count: 3 }
  const of = (service: Dataset['service'], expression = '', group = whole) =>
    narrowTo(group, {
      dataset: { service, type: 'T', list: '/v1/T', titleField: 'Id' },
      ...{ chosen, paths },
      query: { ...everything, expression },
    })?.expression

  it('are selected by its values, or by null, in the language of their service', () => {
    expect(of('content')).toBe(
      `and(eq(Altitude,1200),eq(Type,'Gast''hof'),isnull(LocationInfo.MunicipalityInfo.Name.de),eq(Active,true))`,
    )
    expect(of('timeseries')).toBe(
      `Altitude.eq.1200,Type.eq."Gast\\'hof",LocationInfo.MunicipalityInfo.Name.de.eq.null,Active.eq.true`,
    )
  })

  it('cannot be selected for stations whose value is null', () => {
    expect(of('timeseries', '', { ...whole, Type: null })).toBeUndefined()
    expect(of('content', '', { ...whole, Type: null })).toContain('isnull(Type)')
  })

  it('also match the existing condition', () => {
    const both = of('content', "or(eq(Type,'a'),eq(Type,'b'))")
    expect(both).toMatch(/^and\(or\(.*\),and\(eq\(Altitude,/)
    expect(of('timeseries', 'or(a.eq.1,b.eq.2)')).toMatch(/^and\(or\(a\.eq\.1,b\.eq\.2\),Alt/)
  })
})
