import { expect, it } from 'vitest'
import { parseWhere } from '../../../src/timeseries/where/grammar.ts'
import { addressOf, pathOfLink, quoteForWhere, quotePattern } from './query.ts'

it('writes given parameters and omits missing ones', () => {
  const query = { pagesize: 10, q: '', language: undefined, active: false, id: ['a', 'b c'] }
  expect(addressOf('/v1/Event', query)).toBe('/v1/Event?pagesize=10&active=false&id=a&id=b+c')
  expect(addressOf('/v1/Event')).toBe('/v1/Event')
})

it('does not escape characters without a meaning in a query', () => {
  const query = {
    fields: 'Id,Tags.[*].Id',
    where: 'and(a.eq."x&y",b.gt.1)',
    at: '2026-11-22T10:00+01:00',
  }
  const address = addressOf('/v1/Event', query)
  expect(address).toBe(
    '/v1/Event?fields=Id,Tags.%5B*%5D.Id&where=and(a.eq.%22x%26y%22,b.gt.1)&at=2026-11-22T10:00%2B01:00',
  )
  expect(Object.fromEntries(new URL(address, 'http://hub').searchParams)).toEqual(query)
})

it('keeps only the path of a link', () => {
  expect(pathOfLink('https://hub.example/v1/Event/{id}')).toBe('/v1/Event/{id}')
  expect(pathOfLink('http://localhost:8080')).toBe('/')
  expect(pathOfLink('/v1/Event')).toBe('/v1/Event')
  expect(pathOfLink(undefined)).toBeUndefined()
})

it('escapes quotes and backslashes, and special characters in patterns', () => {
  expect(quoteForWhere(String.raw`a"b\c'd`)).toBe(String.raw`"a\"b\\c\'d"`)
  expect(quotePattern('P1 (a.b)')).toBe(String.raw`"P1 \\(a\\.b\\)"`)
})

it.each([
  ...["Sant'Anna", '"Alte" Post', String.raw`C:\P1`, 'Bozen, Bolzano', 'P1 (a) [b] {c}'],
  ...['two\nlines', 'a.*b|c', String.raw`\'`],
])('writes %j as a text, and as a pattern that matches only this text', (text) => {
  expect(parseWhere(`sname.eq.${quoteForWhere(text)}`, 'required')).toMatchObject({
    value: { kind: 'text', value: text },
  })
  const clause = parseWhere(`sname.ire.${quotePattern(text)}`, 'required')
  const pattern = clause.kind === 'clause' && clause.value.kind === 'text' && clause.value.value
  expect(new RegExp(`^(?:${String(pattern)})$`).test(text)).toBe(true)
  expect(new RegExp(String(pattern)).test('')).toBe(false)
})
