import jsonld from 'jsonld'
import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import { planRegion } from '../../demo/index.ts'
import { entitiesOf, viewsOf } from '../entities/index.ts'
import { toNaming } from '../naming.ts'
import { jsonLd } from './json-ld.ts'
import { requiredProperties } from '../../../test/fixtures/json-ld-properties.ts'

const naming = toNaming('Hub')
const entities = new Map(
  [...entitiesOf(naming), ...viewsOf(naming)].map((entity) => [entity.name, entity]),
)
const until = new Date('2026-11-20T12:00:00Z')
const region = planRegion({ seed: 7, scale: 0.05, until, naming, publicUrl: 'http://hub.test' })

/** Ten records of each entity of the generated region, as they are stored. */
const samples = [...region.content()].flatMap((object) => {
  const { entity: name } = { entity: '', ...fieldsOf(object) }
  return object.items.slice(0, 10).map((item) => ({ name, item: fieldsOf(item) }))
})

const recipe = {
  Id: 'R1',
  Type: 'rezeptartikel',
  Detail: { de: { Title: 'Knödel', BaseText: 'Mit Speck', Language: 'de' } },
  AdditionalArticleInfos: {
    de: {
      Elements: {
        zutat10: 'Salz',
        zutat2: 'Speck',
        zutat1: 'Brot',
        zubereitungstext: 'Rühren.',
        tipptext: 'Kalt essen.',
        personen: '4',
        zeit: '1:30',
        vorbereitungszeit: '0:20',
        kalorien: '500',
        bewertung: '8-12',
        author: 'Küche',
      },
    },
  },
}

function contextOf(name: string, language?: string) {
  const entity = entities.get(name)
  if (entity === undefined) throw new Error(`no entity ${name}`)
  const representation = {
    language,
    fields: [],
    selectedBy: 'hub',
    removeNullValues: false,
  } as const
  const addressOf = (id: string) => `http://hub.test/v1/${entity.path}/${id}`
  return { entity, representation, addressOf, bom: false, reduced: false }
}

/** Returns the nodes that describe a record. */
function tell(name: string, item: object, language?: string): readonly Members[] {
  const record = { id: String(fieldsOf(item)['Id']), data: JSON.stringify(item) }
  const parsed: unknown = JSON.parse(jsonLd.item(record, contextOf(name, language)))
  return [parsed].flat().map(fieldsOf)
}

const only = (name: string, item: object, language?: string) => {
  const [node, ...others] = tell(name, item, language)
  expect(others).toEqual([])
  return node ?? {}
}

/** Loads a reduced context of schema.org, which suffices here: every term is of its vocabulary. */
const documentLoader = (url: string) =>
  Promise.resolve({
    contextUrl: undefined,
    documentUrl: url,
    document: { '@context': { '@vocab': 'https://schema.org/' } },
  })

/** Returns every value of a tree, without keywords and structure. */
function leavesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.entries(value).flatMap(([name, member]) =>
    name === '@context' || name === '@type' ? [] : leavesOf(member),
  )
}

describe('linked data', () => {
  const told = samples.flatMap(({ name, item }) =>
    tell(name, item).map((node) => ({ name, type: String(node['@type']), node })),
  )
  const detail = { en: { Title: 'Road closed' } }
  const others = [
    ['Article', recipe],
    ['MetaData', { Id: 'm', Shortname: 'Events', ApiUrl: 'https://hub.test/v1/Event' }],
    ['Announcement', { Id: 'a', Detail: detail }],
  ] as const
  for (const [name, item] of others) {
    const node = only(name, item)
    told.push({ name, type: String(node['@type']), node })
  }

  it.each(Object.entries(requiredProperties))('describes every %s with %j', (type, required) => {
    const nodes = told.filter((one) => one.type === type)
    expect(nodes.length).toBeGreaterThan(0)
    for (const { node } of nodes) {
      for (const property of required) expect(node, property).toHaveProperty([property])
    }
  })

  it('has exactly the declared types', () => {
    expect(new Set(told.map(({ type }) => type))).toEqual(new Set(Object.keys(requiredProperties)))
  })

  it('is expanded by a JSON-LD processor without loss', async () => {
    for (const { node } of told) {
      const expanded: unknown = await jsonld.expand({ ...node }, { documentLoader })
      expect([...leavesOf(expanded)].sort()).toEqual([...leavesOf(node)].sort())
    }
  })

  it('reads a recipe from the elements of an article', () => {
    expect(only('Article', recipe)).toMatchObject({
      name: 'Knödel',
      recipeIngredient: ['Brot', 'Speck', 'Salz'],
      recipeInstructions: 'Rühren.\nKalt essen.',
      recipeYield: '4',
      prepTime: 'PT0H20M',
      cookTime: 'PT1H30M',
      nutrition: { calories: '500' },
      aggregateRating: { ratingValue: 8, ratingCount: 12, bestRating: 10 },
      author: { '@type': 'Organization', name: 'Küche' },
      inLanguage: 'de',
    })
    const news = { ...recipe, Type: 'newsfeed', ArticleDate: '2026-11-20T00:00:00' }
    expect(only('Article', news)).toMatchObject({
      ...{ '@type': 'Article', headline: 'Knödel', datePublished: '2026-11-20T00:00:00' },
    })
    const announced = { ...recipe, SubType: 'specialannouncement', Type: null }
    expect(only('Article', announced)).toMatchObject({ '@type': 'SpecialAnnouncement' })
  })

  it('describes an event once for each of its dates', () => {
    const event = {
      Id: 'E1',
      Detail: { en: { Title: 'Concert' } },
      EventDate: [
        {
          EventDateId: 'x',
          From: '2026-12-01T00:00:00',
          Begin: '20:00:00',
          To: '2026-12-01T00:00:00',
          End: '22:00:00',
        },
        { From: '2026-12-08T00:00:00', IsCancelled: true },
      ],
    }
    expect(tell('Event', event)).toMatchObject([
      {
        '@context': 'https://schema.org',
        '@id': 'http://hub.test/v1/Event/E1#date-x',
        startDate: '2026-12-01T20:00:00',
        endDate: '2026-12-01T22:00:00',
      },
      { startDate: '2026-12-08T00:00:00', eventStatus: 'https://schema.org/EventCancelled' },
    ])
    const single = { ...event, EventDate: event.EventDate.slice(0, 1) }
    expect(only('Event', single)['@id']).toBe('http://hub.test/v1/Event/E1')
    const early = { ...event, EventDate: [{ From: '2026-12-01', Begin: '9:00' }] }
    expect(only('Event', early)['startDate']).toBe('2026-12-01T09:00')
  })

  it.each([
    [{ Begin: '20:00:00', End: '02:00:00' }, '2027-01-01T02:00:00'],
    [{ Begin: '20:00', End: '2:00' }, '2027-01-01T02:00'],
    [{ Begin: '20:00:00', End: '00:00:00' }, '2027-01-01T00:00:00'],
    [{ Begin: '20:00:00' }, '2026-12-31'],
    [{ Begin: '20:00:00', End: '20:00' }, '2026-12-31T20:00'],
    [{ Begin: '00:00:00', End: '00:00:00' }, '2026-12-31T00:00:00'],
    [{}, '2026-12-31T00:00:00'],
  ])('never ends an event before it begins: %j', (times, end) => {
    const day = '2026-12-31T00:00:00'
    const event = { Id: 'E1', EventDate: [{ From: day, To: day, ...times }] }
    expect(only('Event', event)['endDate']).toBe(end)
  })

  it('lists each price of an event once, also if it is a text with a decimal comma', () => {
    const variant = { Price: 5, Name: { en: 'Full' } }
    const event = { Id: 'E1', Detail: { en: { Title: 'Concert' } } }
    const price = { EventPrice: { en: { Price: '5,0', ShortDesc: 'Full' } } }
    const full = { '@type': 'Offer', price: 5, priceCurrency: 'EUR', name: 'Full' }
    for (const given of [price, { ...price, EventVariants: [variant] }]) {
      expect(only('Event', { ...event, ...given })['offers']).toEqual([full])
    }
  })

  it.each([
    ['3sstars', 3.5, '€€'],
    ['5stars', 5, '€€€€'],
    ['4stars', 4, '€€€'],
    ['2flowers', 2, '€'],
    ['1sun', 1, '€'],
  ])('converts the category %s to the rating %d', (AccoCategoryId, ratingValue, priceRange) => {
    const hotel = only('Accommodation', { Id: 'A', AccoCategoryId })
    expect(hotel).toMatchObject({ starRating: { ratingValue }, priceRange })
    expect(
      only('Accommodation', { Id: 'A', AccoCategoryId: 'Not categorized' }),
    ).not.toHaveProperty('starRating')
  })

  it('describes a record with the tag gastronomy as a restaurant', () => {
    const poi = { Id: 'p', Shortname: 'Wirt', SmgTags: ['gastronomy'] }
    expect(only(naming.activityPoi, poi)['@type']).toBe('Restaurant')
    expect(only(naming.activityPoi, { ...poi, SmgTags: ['hiking'] })['@type']).toBe(
      'TouristAttraction',
    )
  })

  it('uses the requested language, otherwise English, otherwise any available one', () => {
    const place = { Id: 'r', Detail: { de: { Title: 'Tal' }, en: { Title: 'Valley' } } }
    expect(only('Region', place)['name']).toBe('Valley')
    expect(only('Region', place, 'de')['name']).toBe('Tal')
    expect(only('Region', place, 'fr')['name']).toBe('Valley')
    expect(only('Region', { Id: 'r', Detail: { it: { Title: 'Valle' } } })['name']).toBe('Valle')
    expect(only('Region', { Id: 'r', Detail: 7 })['name']).toBe('r')
  })

  it('uses only web URLs as links', () => {
    const place = (Url: string) => only('Region', { Id: 'r', ContactInfos: { en: { Url } } })
    expect(place('https://a.example/x')['url']).toBe('https://a.example/x')
    expect(place('javascript:alert(1)')).not.toHaveProperty('url')
    expect(place('www.a.example')).not.toHaveProperty('url')
  })
})
