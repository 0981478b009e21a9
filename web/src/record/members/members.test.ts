import { describe, expect, it } from 'vitest'
import { describeFields } from '../read/describe-fields.ts'
import {
  deprecationAt,
  readDeprecations,
  countValues,
  isEmpty,
  prune,
  toTree,
  otherMembers,
} from './to-tree.ts'

const record = { Id: '1', B: [{ x: 1 }, { x: 2 }], A: { de: 'Haus', it: null }, Empty: { a: [] } }

describe('The tree of fields', () => {
  const tree = toTree(record)

  it('is sorted by name, with the path to each field', () => {
    expect(tree.map(({ name }) => name)).toEqual(['A', 'B', 'Empty', 'Id'])
    expect(tree[1]?.holds?.[1]?.holds?.[0]).toMatchObject({
      name: 'x',
      way: ['B', '1', 'x'],
      value: 2,
    })
  })

  it('recognizes empty fields', () => {
    expect(tree.filter(isEmpty).map(({ name }) => name)).toEqual(['Empty'])
    expect(countValues(tree)).toBe(5)
  })

  it('is searched by names and by values', () => {
    expect(prune(tree, 'haus').map(({ name }) => name)).toEqual(['A'])
    expect(prune(tree, 'haus')[0]?.holds).toHaveLength(1)
    expect(prune(tree, 'X')[0]?.holds).toHaveLength(2)
    expect(prune(tree, ' ')).toBe(tree)
    expect(prune(tree, 'nowhere')).toEqual([])
  })
})

describe('Deprecated fields', () => {
  const dates = { since: '2026-11-20', removedAfter: '2027-12-31' }
  const members = [
    {
      path: 'GpsPoints.{key}.Latitude',
      deprecated: { ...dates, description: 'Use GpsInfo', replacement: null },
    },
    {
      path: 'OperationSchedule.[*].Old',
      deprecated: { ...dates, description: '', replacement: 'New' },
    },
    { path: 'Shortname', deprecated: null },
  ]

  it('are found by their path, with any key and index', () => {
    const told = readDeprecations(members)
    expect(told).toHaveLength(2)
    expect(deprecationAt(told, ['GpsPoints', 'position', 'Latitude'])?.description).toBe(
      'Use GpsInfo',
    )
    expect(deprecationAt(told, ['GpsPoints', 'x', 'Latitude'])?.replacement).toBe('GpsInfo')
    expect(deprecationAt(told, ['OperationSchedule', '3', 'Old'])?.replacement).toBe('New')
    expect(deprecationAt(told, ['GpsPoints', 'position'])).toBeUndefined()
    expect(deprecationAt(told, ['Shortname'])).toBeUndefined()
  })
})

it('lists the fields that the overview does not show, and deprecated ones', () => {
  const deprecated = { since: '', removedAfter: '', description: '', replacement: null }
  const shown = { Id: '1', Detail: { de: { Title: 'x' } }, Webcamname: { de: 'y' }, TempMax: 4 }
  const of = describeFields(
    { ...shown, GpsPoints: {} },
    {
      ...{ Id: { role: 'id' }, 'Detail.{language}': { role: 'texts' } },
      'Webcamname.{language}': { role: 'title' },
      'GpsPoints.{key}': { role: 'position', deprecated },
    },
  )
  expect(otherMembers(of)).toEqual({ TempMax: 4, GpsPoints: {} })
})
