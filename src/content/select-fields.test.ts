import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors/index.ts'
import { parseFields, selectFields } from './representation.ts'

const record = {
  Id: 'A1',
  Detail: { de: { Title: 'Hütte' }, en: null },
  Tags: [{ Id: 'summer' }, { Id: 'winter' }, {}],
  ImageGallery: [{ ImageUrl: 'a' }, { ImageUrl: 'b' }],
  Mapping: { 'tirol.mapservices.eu': { oid: '7' } },
  One: [{ Id: 'only' }],
}

const select = (...paths: string[]) => selectFields(record, parseFields(paths))

describe('fields', () => {
  it('returns a flat record: Id first, then one field per path in the requested order', () => {
    expect(JSON.stringify(select('Detail.de.Title', 'Id', 'Nothing'))).toBe(
      '{"Id":"A1","Detail.de.Title":"Hütte","Nothing":null}',
    )
  })

  it.each([
    ['Tags.[*].Id', ['summer', 'winter']],
    ['Tags[*].Id', ['summer', 'winter']],
    ['One.[*].Id', ['only']],
    ['Tags.[*].Name', []],
    ['Nothing.[*].Id', []],
    ['Tags.*.Id', ['summer', 'winter']],
    ['Detail.*', [{ Title: 'Hütte' }, null]],
    ['Detail.*.Title', ['Hütte']],
    ["Detail['*']", null],
    ['Nothing.*', []],
    ['ImageGallery.[]', record.ImageGallery],
    ['ImageGallery.[*]', record.ImageGallery],
    ['ImageGallery.[0]', { ImageUrl: 'a' }],
    ['ImageGallery[1].ImageUrl', 'b'],
    ['ImageGallery.[7]', null],
    ['ImageGallery', record.ImageGallery],
    ["Mapping['tirol.mapservices.eu']", { oid: '7' }],
    ["Mapping['tirol.mapservices.eu'].oid", '7'],
    ['Detail.en.Title', null],
    ['constructor', null],
    ['__proto__', null],
  ])('reads %s', (path, expected) => {
    expect(Object.entries(select(path))).toContainEqual([path, expected])
  })

  it.each([
    ['Detail..Title', 7],
    ['Detail.', 7],
    ['.Detail', 0],
    ['Detail[', 7],
    ['Detail[x]', 7],
    ['Detail[1', 8],
    ["Detail['a", 7],
    ['Detail Title', 6],
  ])('refuses %s with the position of the error', (path, position) => {
    const error = (() => {
      try {
        return parseFields([path])
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({
      code: 'HUB-QRY-004',
      issues: [{ parameter: 'fields', position }],
    })
  })

  it('reads or refuses any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          selectFields(record, parseFields([text]))
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
      }),
    )
  })
})
