import { describe, expect, it } from 'vitest'
import { accommodation } from '../entities/accommodation.ts'
import { entitiesOf } from '../entities/index.ts'
import { toNaming } from '../naming.ts'
import { hasLanguage } from './to-stored.ts'
import { toStored } from './to-stored.ts'
import { withoutMembers } from './without-members.ts'

const hotel = accommodation(toNaming('Hub'))
const saving = { received: new Date('2026-11-20T10:00:00.000Z'), provider: 'demo' }

describe('toStored', () => {
  it('generates identifier, languages, times and _Meta, and keeps everything else', () => {
    const sent = { Id: 'abc', Self: 'old', Extra: [1], AccoDetail: { de: { Name: 'Hof' } } }
    expect(toStored(hotel, sent, saving).data).toEqual({
      Id: 'ABC',
      Extra: [1],
      AccoDetail: { de: { Name: 'Hof' } },
      HasLanguage: ['de'],
      LastChange: '2026-11-20T10:00:00.000Z',
      _Meta: {
        Id: 'ABC',
        Type: 'accommodation',
        Source: 'demo',
        LastUpdate: '2026-11-20T10:00:00.000Z',
        LastChange: '2026-11-20T10:00:00.000Z',
        Reduced: false,
      },
    })
  })

  it('takes the source and the time of change that the sender gives', () => {
    const sent = { Id: 'A', Source: 'LTS', LastChange: '2020-01-01T00:00:00' }
    expect(toStored(hotel, sent, saving).data).toMatchObject({
      LastChange: '2020-01-01T00:00:00',
      _Meta: { Source: 'lts', LastChange: '2020-01-01T00:00:00' },
    })
    const withMeta = { Id: 'A', Source: 'x', _Meta: { Source: 'IDM', Extra: 1 } }
    expect(toStored(hotel, withMeta, saving).data).toMatchObject({
      _Meta: { Source: 'idm', Extra: 1 },
    })
  })
})

describe('withoutMembers', () => {
  it('removes members by path, through objects and arrays, and nothing else', () => {
    const record = { Pdf: 1, EventDate: [{ GpsEast: 1, From: 2 }, null], Nested: { Pdf: 3 } }
    expect(withoutMembers(record, ['Pdf', 'EventDate.GpsEast'])).toEqual({
      EventDate: [{ From: 2 }, null],
      Nested: { Pdf: 3 },
    })
  })

  it('keeps a number as Id, and finds the record under its text', () => {
    const weather = entitiesOf(toNaming('Hub')).find(({ name }) => name === 'Weather')
    const stored = weather && toStored(weather, { Id: 85610 }, saving)
    expect(stored).toMatchObject({ id: '85610', data: { Id: 85610, _Meta: { Id: '85610' } } })
  })
})

describe('hasLanguage', () => {
  it('lists a language when its entry holds a text beyond the repeated key', () => {
    expect(
      hasLanguage({
        Detail: { de: { Title: 'x', Language: 'de' }, it: { Title: ' ', Language: 'it' } },
        Name: { en: 'y' },
        Contact: { fr: null },
        Other: { de: 1, notALanguage: 'z' },
      }),
    ).toEqual(['de', 'en'])
  })
})
