import { expect, it } from 'vitest'
import { everything } from '../../dataset/query/dataset-query.ts'
import type { DatasetQuery } from '../../dataset/query/index.ts'
import { chipsOf, withParameter } from './chips.ts'
import type { ChipWords } from './chips.ts'

const words: ChipWords = {
  search: 'Search',
  tag: 'Tag',
  language: 'Language',
  source: 'Source',
  licence: 'Licence',
  dataType: 'Data type',
  active: { yes: 'Active', no: 'Inactive' },
  area: () => 'Rectangle',
  areaTitle: 'Area',
  expression: 'Condition',
  titleOfTag: (id) => id.toUpperCase(),
  nameOfLanguage: (id) => `language ${id}`,
  parameter: (name, value) => [name, value],
}

const chosen: DatasetQuery = {
  ...everything,
  search: 'berg',
  tags: ['summer', 'winter'],
  languages: ['de'],
  sources: ['lts'],
  licences: ['CC0'],
  active: 'no',
  area: { kind: 'circle', centre: [11.3, 46.5], metres: 500 },
  expression: 'eq(A,1)',
  dataTypes: ['free'],
  parameters: { begindate: '2026-11-01', highlight: 'true' },
}

it('shows every selection once', () => {
  expect(chipsOf(chosen, words).map(({ name }) => name)).toEqual([
    'Search: “berg”',
    'Tag: SUMMER',
    'Tag: WINTER',
    'Language: language de',
    'Data type: free',
    'Source: lts',
    'Licence: CC0',
    'Inactive',
    'Area: Rectangle',
    'begindate: 2026-11-01',
    'highlight: true',
    'Condition: eq(A,1)',
  ])
  expect(chipsOf(everything, words)).toEqual([])
})

it('removes one selection at a time, until none is left', () => {
  let query = chosen
  for (let left = chipsOf(query, words).length; left > 0; left--) {
    const [first] = chipsOf(query, words)
    query = { ...query, ...first?.without }
    expect(chipsOf(query, words)).toHaveLength(left - 1)
  }
  expect(query).toEqual(everything)
})

it('changes one parameter and keeps the others', () => {
  expect(withParameter({ a: '1', b: '2' }, 'a', '3')).toEqual({ a: '3', b: '2' })
  expect(withParameter({ a: '1', b: '2' }, 'a', '')).toEqual({ b: '2' })
})
