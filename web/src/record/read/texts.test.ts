import { describe, expect, it } from 'vitest'
import { describeFields } from './describe-fields.ts'
import { sayIn, sortLanguages, textsByLanguage } from './json.ts'
import { languagesOf, readTexts, titleOf } from './texts.ts'

const event = {
  Id: '1',
  Shortname: 'Markt',
  HasLanguage: ['de', 'ru'],
  Mapping: { demo: { id: 'x' } },
  Detail: {
    de: { BaseText: 'Brot und Käse.', IntroText: 'Kommt!', Title: 'Markt', Language: 'de' },
    it: { BaseText: null, Title: 'Mercato', Language: 'it', Url: 'https://x.example' },
  },
  EventText: { de: 'Brot und Käse.' },
  ContactInfos: { de: { CompanyName: 'Jugend', City: 'Abtei' } },
}

const label = { de: 'x', it: 'x', en: 'x' }
const told = (record: Readonly<Record<string, unknown>>) =>
  describeFields(record, {
    'HasLanguage.[*]': { role: 'language' },
    Language: { part: 'language' },
    'Detail.{language}': { role: 'texts', type: 'object' },
    'Detail.{language}.Language': {},
    'Detail.{language}.BaseText': { role: 'text' },
    'Detail.{language}.IntroText': { role: 'introduction' },
    'Detail.{language}.Title': { role: 'title' },
    'EventText.{language}': { role: 'text' },
    'Aim.{language}': { role: 'kind', label },
    'ContactInfos.{language}.CompanyName': { part: 'name' },
    ...{ Evolution: { role: 'text' }, evolution: {}, Source: { role: 'source', label } },
  })

describe('The texts of a record', () => {
  it('are the fields with the role of a text, each once: headings, introductions, others', () => {
    expect(readTexts(told(event))).toEqual([
      { path: 'Detail.Title', role: 'title', byLanguage: { de: 'Markt', it: 'Mercato' } },
      { path: 'Detail.IntroText', role: 'introduction', byLanguage: { de: 'Kommt!' } },
      { path: 'Detail.BaseText', role: 'text', byLanguage: { de: 'Brot und Käse.' } },
    ])
  })

  it('with other roles are last', () => {
    const record = { Aim: { de: 'Zu Fuß' }, Detail: { de: { Title: 'Markt' } }, Source: 'lts' }
    expect(readTexts(told(record)).map(({ path }) => path)).toEqual(['Detail.Title', 'Aim'])
  })

  it('are in the languages that the record states and contains', () => {
    expect(languagesOf(told(event), readTexts(told(event)))).toEqual(['de', 'it', 'ru'])
    expect(sortLanguages(['ru', 'en', 'cs', 'de', 'de'])).toEqual(['de', 'en', 'cs', 'ru'])
  })

  it('of reports are in the one language that they state', () => {
    const report = {
      Language: 'en',
      Evolution: 'Mild and mostly dry.',
      evolution: 'Mild and mostly dry.',
    }
    expect(readTexts(told(report))).toEqual([
      { path: 'Evolution', role: 'text', byLanguage: { en: 'Mild and mostly dry.' } },
    ])
  })

  it.each([
    [{}],
    [{ Detail: null }],
    [{ Detail: 'x' }],
    [{ Detail: { de: 3 } }],
    [{ Detail: { de: [] } }],
  ])('are empty for %j', (record) => {
    expect(readTexts(told(record))).toEqual([])
  })
})

describe('The title of a record', () => {
  it('is in the requested language, or in another with its language', () => {
    expect(titleOf(event, ['Detail.{language}.Title'], 'it')).toEqual({
      text: 'Mercato',
      language: 'it',
    })
    expect(titleOf(event, ['Detail.{language}.Title'], 'en')).toEqual({
      text: 'Markt',
      language: 'de',
    })
  })

  it('is read from another field if the first is empty', () => {
    const webcam = { Detail: null, Webcamname: { de: 'Gipfel' }, Shortname: 'w' }
    const fields = ['Detail.{language}.Title', 'Webcamname.{language}']
    expect(titleOf(webcam, fields, 'en')).toEqual({ text: 'Gipfel', language: 'de' })
  })

  it.each([
    [{ TagName: { en: 'Winter' } }, 'TagName.{language}', 'Winter'],
    [
      { AccoDetail: { de: { Name: 'Abendhof' } }, Shortname: 'A' },
      'AccoDetail.{language}.Name',
      'Abendhof',
    ],
    [{ Name: 'Abtei/Badia' }, 'Name', 'Abtei/Badia'],
    [{ DistrictName: 'Vinschgau', Shortname: 'V' }, 'DistrictName', 'Vinschgau'],
    [{ Shortname: 'Only this' }, 'Detail.{language}.Title', 'Only this'],
    [{ Id: 7 }, 'Name', '7'],
    [{}, 'Name', '…'],
  ])('of %j by %s is %s', (record, field, title) => {
    expect(titleOf(record, [field], 'en').text).toBe(title)
  })
})

it('reads values in the requested language, in a common one, or in any', () => {
  expect(sayIn({ de: 'a', en: 'b' }, 'it')).toEqual({ said: 'b', language: 'en' })
  expect(sayIn({ cs: 'c' }, 'it')).toEqual({ said: 'c', language: 'cs' })
  expect(sayIn({}, 'it')).toBeUndefined()
  expect(textsByLanguage({ de: ' ', it: 'x' })).toEqual({ it: 'x' })
  expect(sayIn({ de: null, it: { a: 1 } }, 'de')?.said).toEqual({ a: 1 })
})
