import { describe, expect, it } from 'vitest'
import type { MobilityEvent } from '../../src/timeseries/index.ts'
import { toPublication } from '../../src/traffic/index.ts'
import { anEvent, supplier } from './datex/an-event.ts'
import { all, readXml, text, texts } from './datex/xml-tree.ts'
import { assertValidDatex, hasDatexSchema } from '../fixtures/datex-schema.ts'

// Tests our feed against the matrix of 36 items that was observed at the public system. Where we
// differ on purpose, the title names the decision. The rows about providers, sources and URLs are
// tested over HTTP, in test/http/traffic-feed.test.ts and traffic-payloads.test.ts.

const now = new Date('2026-11-20T10:02:00Z')
const hour = 3_600_000
const day = 24 * hour
const from = (milliseconds: number) => new Date(now.getTime() + milliseconds)

/** Creates an event with what all items of the matrix have in common, in its third version. */
function item(differences: Partial<MobilityEvent> = {}): MobilityEvent {
  return anEvent({
    ...{ start: from(-hour), end: from(5 * hour), version: 3 },
    ...{ recorded: from(-hour / 2), firstRecorded: from(-hour) },
    geometry: { type: 'Point', coordinates: [11.987654321, 46.123456789] },
    title: { it: 'TitIt', de: 'TitDe', en: 'TitEn' },
    text: { it: 'TestoIt' },
    ...differences,
  })
}

const tagged = (...names: readonly string[]) => ({
  tags: names.map((name) => `traffic-event:${name}`),
})

/**
 * Publishes events in the compatible profile. Every document is validated if the schema is
 * available.
 */
function publish(...events: readonly MobilityEvent[]) {
  const publication = toPublication(events, { supplier: { ...supplier, titleEnd: ' ' }, now })
  if (hasDatexSchema) assertValidDatex(publication.xml)
  const situations = all(readXml(publication.xml), 'payloadPublication/situation')
  return { ...publication, trees: situations }
}

/** Returns the facts that the matrix states, for the only situation of the feed. */
function facts(differences: Partial<MobilityEvent>) {
  const [tree] = publish(item(differences)).trees
  if (tree === undefined) return undefined
  const of = (path: string) => text(tree, path)
  return {
    type: all(tree, 'situationRecord')[0]?.attributes['xsi:type'],
    lanes: of('situationRecord/roadOrCarriagewayOrLaneManagementType'),
    severity: of('overallSeverity'),
    probability: of('situationRecord/probabilityOfOccurrence'),
    status: of('situationRecord/validity/validityStatus'),
  }
}

const categories = [
  ...['congestion', 'accident', 'animal-on-road', 'caution', 'road-work', 'weather-related'],
  ...['event', 'prohibition', 'closure', 'hindrance', 'speed-camera', 'road-condition'],
]

describe('the matrix of the public system', () => {
  it.each(categories)('publishes %s as certain and active, with all languages (D55)', (tag) => {
    expect(facts(tagged(tag))).toMatchObject({ probability: 'certain', status: 'active' })
    const [tree] = publish(item(tagged(tag))).trees
    const values = tree === undefined ? [] : texts(tree, '**/generalPublicComment/**/value')
    expect(values).toEqual(['TitDe', 'TitEn', 'TitIt TestoIt'])
    expect(all(tree ?? readXml('<a/>'), 'situationRecord')[0]?.attributes['version']).toBe('3')
  })

  it.each([[['hindrance', 'closure']], [['closure', 'hindrance']]])(
    'publishes tags %j as a closed road, in any order (D55)',
    (tags) => {
      const closed = { lanes: 'roadClosed', severity: 'high' }
      expect(facts({ ...tagged(...tags), start: from(-3 * day), end: null })).toMatchObject(closed)
    },
  )

  it.each([[['current']], [['current', 'mountain-pass']]])(
    'publishes tags %j, which specify no kind, as a message to road users (D55)',
    (tags) => {
      expect(facts(tagged(...tags))?.type).toBe('GeneralInstructionOrMessageToRoadUsers')
    },
  )

  it('publishes current and restriction as a lane order (D55)', () => {
    expect(facts(tagged('current', 'restriction'))?.lanes).toBe('other')
  })

  it.each([
    ['leaves after 24 h', 'accident', -2 * day, false],
    ['is there after a minute', 'accident', -60_000, true],
    ['leaves after 24 h, not at midnight (D55)', 'congestion', -11 * hour, true],
    ['stays, being no short-lived kind', 'caution', -730 * day, true],
  ])('an event without an end %s', (_what, tag, start, isThere) => {
    const given = { ...tagged('current', tag), start: from(start), end: null }
    expect(facts(given) !== undefined).toBe(isThere)
  })

  it('uses the deciding tag for short-lived kinds: hindrance with event leaves (D55)', () => {
    const given = { ...tagged('hindrance', 'event'), start: from(-5 * day), end: null }
    expect(facts(given)).toBeUndefined()
  })

  it.each([
    ['caution with an end (D55: future ones are in the feed)', 'caution', from(3 * day)],
    ['caution without an end', 'caution', null],
    ['accident with an end', 'accident', from(3 * day)],
  ])('publishes a future %s as probable', (_what, tag, end) => {
    expect(facts({ ...tagged(tag), start: from(2 * day), end })).toMatchObject({
      probability: 'probable',
      status: 'definedByValidityTimeSpec',
    })
  })

  it.each(['caution', 'accident'])('leaves out %s that ended yesterday', (tag) => {
    const given = { ...tagged(tag), start: from(-30 * day), end: from(-day), recorded: from(-day) }
    expect(facts(given)).toBeUndefined()
  })

  it('reports for an hour that a situation has ended (D55)', () => {
    const { xml } = publish(item({ ...tagged('caution'), end: from(-hour / 2) }))
    expect(texts(readXml(xml), '**/lifeCycleManagement/end')).toEqual(['true'])
  })

  it('omits and counts events without a position, instead of using 0,0 (D55)', () => {
    const { situations, leftOut } = publish(item({ ...tagged('caution'), geometry: null }))
    expect({ situations, leftOut }).toEqual({ situations: 0, leftOut: { position: 1, time: 0 } })
  })

  it('keeps positions in full precision (D5)', () => {
    const { xml } = publish(item())
    expect(xml).toContain('<latitude>46.123456789</latitude><longitude>11.987654321</longitude>')
  })

  it('has no empty texts if an event has no texts (D55)', () => {
    const { xml } = publish(item({ ...tagged('caution'), title: {}, text: {} }))
    expect(texts(readXml(xml), '**/generalPublicComment/**/value')).not.toContain('')
  })

  it('has no creation reference without a name', () => {
    expect(texts(readXml(publish(item()).xml), '**/situationRecordCreationReference')).toEqual([
      '4711',
    ])
    const { xml } = publish(item({ name: '' }))
    expect(texts(readXml(xml), '**/situationRecordCreationReference')).toEqual([])
  })

  it('counts versions from 1', () => {
    const [tree] = publish(item({ version: 1 })).trees
    expect(tree?.attributes['version']).toBe('1')
  })

  it('dates a record by its stored times, never by the year 1 (D55)', () => {
    expect(publish(item()).xml).not.toContain('>0001-')
  })

  it('escapes markup, keeps line breaks and replaces control characters in texts', () => {
    const title = { it: 'a < b > c & "d"\ne\u000bf' }
    const [tree] = publish(item({ title, text: {} })).trees
    expect(tree && texts(tree, '**/generalPublicComment/**/value')).toEqual([
      'a < b > c & "d"\ne\uFFFDf',
    ])
  })

  it('continues a text of 1,100 characters in a further comment (D55)', () => {
    const [tree] = publish(item({ title: { it: 'x'.repeat(1100) }, text: {} })).trees
    const values = tree === undefined ? [] : texts(tree, '**/generalPublicComment/**/value')
    expect(values.map((value) => value.length)).toEqual([1024, 76])
  })

  it('publishes a repeated series once, in its latest state (D50)', () => {
    const twice = [item({ version: 1 }), item({ version: 2, uuid: 'another' })]
    expect(publish(...twice).trees.map(({ attributes }) => attributes['version'])).toEqual(['2'])
  })

  it('writes ids unchanged, regardless of their prefix', () => {
    const series = 'urn:announcements:other:1'
    expect(publish(item({ series })).trees[0]?.attributes['id']).toBe(series)
  })
})
