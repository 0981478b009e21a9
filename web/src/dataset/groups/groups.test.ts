import { describe, expect, it } from 'vitest'
import { everything } from '../query/dataset-query.ts'
import type { Dataset } from '../query/dataset-query.ts'
import type { NamedColumn } from '../frame/dataset-view.svelte.ts'
import { aggregatesOf, groupMembers, narrowTo, numberMembers } from './groups.ts'

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

it('groups by what has one plain value, usual columns first, in the language of the texts', () => {
  expect(groupMembers(columns, 'it').map(({ path }) => path)).toEqual([
    ...['Altitude', 'Type', 'LocationInfo.MunicipalityInfo.Name.it', 'Active'],
  ])
  expect(numberMembers(columns).map(({ path }) => path)).toEqual(['Altitude'])
  expect(aggregatesOf('Altitude').map(({ written }) => written)).toEqual([
    ...['min(Altitude)', 'avg(Altitude)', 'max(Altitude)', 'sum(Altitude)'],
  ])
})

describe('the records of a group', () => {
  const members = groupMembers(columns, 'de')
  const group = { Type: "Gast'hof", Altitude: 1200, Active: true, count: 3 }
  const by = ['Type', 'Altitude', 'Active', 'LocationInfo.MunicipalityInfo.Name.de']
  const of = (service: Dataset['service'], expression = '') =>
    narrowTo(group, by, {
      dataset: { service, type: 'T', list: '/v1/T', titleField: 'Id' },
      members,
      query: { ...everything, expression },
    }).expression

  it('have its values, or none, in the language of their service', () => {
    expect(of('content')).toBe(
      `and(eq(Type,'Gast''hof'),eq(Altitude,1200),eq(Active,true),isnull(LocationInfo.MunicipalityInfo.Name.de))`,
    )
    expect(of('timeseries')).toBe(
      `Type.eq."Gast\\'hof",Altitude.eq.1200,Active.eq.true,LocationInfo.MunicipalityInfo.Name.de.eq.null`,
    )
  })

  it('keep to the condition that is there', () => {
    const both = of('content', "or(eq(Type,'a'),eq(Type,'b'))")
    expect(both).toMatch(/^and\(or\(.*\),and\(eq\(Type,/)
    expect(of('timeseries', 'or(a.eq.1,b.eq.2)')).toMatch(/^and\(or\(a\.eq\.1,b\.eq\.2\),Type\.eq/)
  })
})
