import { describe, expect, it } from 'vitest'
import { sectionOf, toFields, writtenWith } from './to-fields.ts'
import type { FieldMember, FormField } from './to-fields.ts'

const plain = { type: 'text', label: null, role: null, part: null, unit: null } as const
const rest = { entity: null, description: null, deprecated: null, canFilter: true } as const

const members = (all: Readonly<Record<string, Partial<FieldMember>>>): readonly FieldMember[] =>
  Object.entries(all).map(([path, own]) => ({ path, ...plain, ...rest, ...own }))

const object = { type: 'object' } as const
const deprecated = {
  ...{ since: '2026-01-01', removedAfter: '2027-01-01', description: '' },
  ...{ replacement: 'TagIds' },
}
const described = members({
  Id: { role: 'id' },
  _Meta: { ...object, role: 'meta' },
  '_Meta.Id': {},
  LastChange: { type: 'time', role: 'changed' },
  Detail: object,
  'Detail.{language}': { ...object, role: 'contact' },
  'Detail.{language}.Language': {},
  'Detail.{language}.Title': { role: 'title' },
  'Detail.{language}.Keywords.[*]': {},
  'GpsInfo.[*]': { ...object, role: 'place' },
  'GpsInfo.[*].Latitude': { type: 'number', part: 'latitude' },
  'GpsInfo.[*].Self': {},
  'ImageGallery.[*]': { ...object, role: 'picture' },
  'ImageGallery.[*].ImageTitle': object,
  'ImageGallery.[*].ImageTitle.{language}': { part: 'title' },
  Mapping: object,
  'Mapping.{key}': object,
  'TagIds.[*]': { role: 'tag' },
  'SmgTags.[*]': { role: 'tag', deprecated },
  Offers: { ...object, canFilter: false },
  Links: object,
  'Links.Id': {},
})

const formOf = ({ name, kind, fields }: FormField): unknown =>
  fields.length === 0 ? `${name}: ${kind}` : { [`${name}: ${kind}`]: fields.map(formOf) }

describe('the fields of a form', () => {
  it('are the writable fields, with inputs by their type', () => {
    expect(toFields(described).map(formOf)).toEqual([
      'Id: value',
      { 'Detail: languages': ['Title: value', 'Keywords: values'] },
      { 'GpsInfo: list': ['Latitude: value'] },
      { 'ImageGallery: list': [{ 'ImageTitle: languages': [': value'] }] },
      'Mapping: json',
      'TagIds: values',
      'SmgTags: values',
      { 'Links: group': ['Id: value'] },
    ])
  })

  it('are grouped by their roles, with deprecated and generated ones last', () => {
    const isGenerated = (path: string) => path === 'Links'
    expect(toFields(described).map((field) => sectionOf(field, isGenerated))).toEqual([
      ...['others', 'texts', 'place', 'pictures', 'others', 'tags', 'kept', 'kept'],
    ])
  })

  it('list the deprecated fields that are written with them', () => {
    expect(writtenWith(described, 'TagIds')).toEqual(['SmgTags'])
    expect(writtenWith(described, 'Mapping')).toEqual([])
  })
})
