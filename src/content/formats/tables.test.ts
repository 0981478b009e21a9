import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../lang/json.ts'
import { planRegion } from '../../demo/index.ts'
import { readArrow, readParquetFile } from '../../../test/fixtures/read-columns.ts'
import { asHeld, toRecord } from '../../../test/fixtures/read-records.ts'
import type { Entity } from '../entity.ts'
import { entitiesOf } from '../entities/index.ts'
import { toNaming } from '../naming.ts'
import { parseFields } from '../representation.ts'
import { columnsOfEntity, arrow, parquet } from './tables.ts'
import type { AnswerContext, LoadedRecord } from './format.ts'

const naming = toNaming('Hub')
const entities = entitiesOf(naming)

function entityOf(name: string): Entity {
  const entity = entities.find((one) => one.name === name)
  if (entity === undefined) throw new Error(`There is no entity ${name}`)
  return entity
}

const formats = [
  { format: parquet, read: readParquetFile },
  { format: arrow, read: readArrow },
]
type Pair = (typeof formats)[number]

const contextOf = (entity: Entity, more: Partial<AnswerContext> = {}) => ({
  entity,
  representation: { fields: [], selectedBy: 'hub', removeNullValues: false } as const,
  reduced: false,
  addressOf: (id: string) => `http://hub.test/${id}`,
  bom: false,
  ...more,
})

const listing = {
  ...{ isBare: false, total: 0, totalPages: 0, pageNumber: 1, columns: [] },
  ...{ previousPage: null, nextPage: null, seed: null, further: {} },
}

/** Writes records in a format, in some pieces, and reads them with an independent reader. */
async function pass(
  { format, read }: Pair,
  context: AnswerContext,
  pieces: readonly (readonly LoadedRecord[])[],
) {
  const writer = await format.list({ ...context, ...listing })
  const written = [writer.begin(), ...pieces.map(writer.records), writer.end()]
  const bytes = written.flatMap((steps) => {
    if (typeof steps === 'string') throw new TypeError('Tables are not text.')
    return [...steps]
  })
  return read(Buffer.concat(bytes))
}

const until = new Date('2026-11-20T12:00:00Z')
const region = planRegion({ seed: 7, scale: 0.05, until, naming, publicUrl: 'http://hub.test' })

/** All records of the generated region, as they are stored, by their entities. */
const records = Map.groupBy(
  [...region.content()].flatMap((object) => {
    const { entity: name } = { entity: '', ...fieldsOf(object) }
    const entity = entities.find((one) => one.name === name)
    return entity === undefined ? [] : object.items.map((item) => ({ entity, item }))
  }),
  ({ entity }) => entity,
)

function kindsOf(entity: Entity) {
  const kinds = new Map(
    columnsOfEntity(entity, { reduced: false }).map(({ name, kind }) => [name, kind]),
  )
  return {
    isTime: (name: string) => kinds.get(name) === 'time',
    isJson: (name: string) => kinds.get(name) === 'json',
  }
}

const load = (item: object): LoadedRecord => ({
  id: String(fieldsOf(item)['Id']),
  data: JSON.stringify(item),
})

describe.each(formats)('A table as $format.name', (pair) => {
  it.each([...records].map(([entity, all]) => ({ name: entity.name, entity, all })))(
    'contains every record of $name with the values of its JSON',
    async ({ entity, all }) => {
      const loaded = all.map(({ item }) => load(item))
      const { found, expected } = await compare(pair, entity, [loaded])
      expect(found).toEqual(expected)
    },
  )

  it('preserves any record, with values of unexpected types in a separate column', async () => {
    const record = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 12 })
    const pieces = fc.array(fc.array(record, { maxLength: 5 }), { maxLength: 3 })
    const entity = entityOf('Event')
    await fc.assert(
      fc.asyncProperty(pieces, async (given) => {
        const loaded = given.map((piece) =>
          piece.map((one, index) => load({ Id: String(index), ...one })),
        )
        const { found, expected } = await compare(pair, entity, loaded)
        expect(found).toEqual(expected)
      }),
      { numRuns: 100 },
    )
  })

  it('has the same columns for any records', async () => {
    const of = async (items: readonly object[]) => {
      const { table } = await pass(pair, contextOf(entityOf('Event')), [items.map(load)])
      return table.schema.fields.map(({ name, type }) => [name, type.typeId])
    }
    const none = await of([])
    expect(
      await of([{ Id: 'a', Active: 'perhaps', New: 1, Detail: 7, DateBegin: 'soon' }]),
    ).toEqual(none)
  })

  it('has no column for closed fields if these are withheld', async () => {
    const entity = entityOf('Accommodation')
    const namesOf = async (reduced: boolean) =>
      (await pass(pair, contextOf(entity, { reduced }), [])).names
    expect(await namesOf(false)).toEqual(expect.arrayContaining([...entity.closedFields]))
    const open = await namesOf(true)
    expect(open.filter((name) => entity.closedFields.includes(name.split('.')[0] ?? ''))).toEqual(
      [],
    )
  })

  it('has the requested fields as columns, in the same order and with their types', async () => {
    const fields = parseFields(
      'LastChange,Active,Detail.de.Title,GpsInfo.[0].Latitude,HasLanguage,Mapping.a.b,New,TagIds.[*]'.split(
        ',',
      ),
    )
    const representation = { fields, selectedBy: 'hub', removeNullValues: false } as const
    const record = {
      ...{ Id: 'a', LastChange: '2026-11-20T10:15:00.5+02:00', Active: true, HasLanguage: ['de'] },
      ...{ Detail: { de: { Title: 'Ü' } }, Mapping: { a: { b: 'c' } }, New: 7, TagIds: null },
      GpsInfo: [{ Latitude: 46.5, Longitude: 11.3 }],
    }
    const { names: found, rows } = await pass(
      pair,
      contextOf(entityOf('Event'), { representation }),
      [[load(record)], [load({ Id: 'b', Active: 1 })]],
    )
    expect(found).toEqual(['Id', ...fields.map(({ text }) => text), 'geometry', 'bbox', '_Other'])
    expect({ ...rows[0] }).toMatchObject({
      ...{ Id: 'a', LastChange: Date.parse('2026-11-20T08:15:00.5Z'), Active: true },
      ...{ 'Detail.de.Title': 'Ü', 'GpsInfo.[0].Latitude': 46.5, HasLanguage: '["de"]' },
      ...{ 'Mapping.a.b': 'c', New: '7', 'TagIds.[*]': '[]', _Other: null },
      bbox: { xmin: 11.3, ymin: 46.5, xmax: 11.3, ymax: 46.5 },
    })
    expect({ ...rows[1] }).toMatchObject({ Id: 'b', Active: null, bbox: null, geometry: null })
    expect(rows[1]?.['_Other']).toBe('{"Active":1}')
  })

  it('renames a column of the hub if a field has the same name', async () => {
    const fields = parseFields(['bbox', 'geometry', 'geometry_', '_Other', 'Active'])
    const representation = { fields, selectedBy: 'hub', removeNullValues: false } as const
    const own = { bbox: [1], geometry: 'none', geometry_: 2, _Other: { a: 3 }, Active: 'perhaps' }
    const record = { Id: 'a', ...own, GpsInfo: [{ Latitude: 46.5, Longitude: 11.3 }] }
    const context = contextOf(entityOf('Event'), { representation })
    const { names: found, rows } = await pass(pair, context, [[load(record)]])
    expect(found).toEqual(
      ['Id', ...Object.keys(own), 'geometry__', 'bbox_', '_Other_'], // oxfmt-ignore
    )
    expect({ ...rows[0] }).toMatchObject({
      ...{ bbox: '[1]', geometry: '"none"', geometry_: '2', _Other: '{"a":3}', Active: null },
      ...{ bbox_: { xmin: 11.3, ymin: 46.5, xmax: 11.3, ymax: 46.5 } },
      ...{ geometry__: expect.anything(), _Other_: '{"Active":"perhaps"}' },
    })
  })

  it.each([
    ['2026-11-20', '2026-11-20T00:00:00Z'],
    ['2026-11-20T10:15', '2026-11-20T10:15:00Z'],
    ['2026-11-20 10:15:30.1234567+0130', '2026-11-20T08:45:30.123Z'],
    ['0001-01-01T00:00:00', '0001-01-01T00:00:00Z'],
    ['2026-02-31T00:00:00', null],
    ['9999-12-31T23:59:59-05:00', null],
    ['soon', null],
  ])('converts the time %s to %s', async (written, moment) => {
    const { rows } = await pass(pair, contextOf(entityOf('Event')), [
      [load({ Id: 'a', LastChange: written })],
    ])
    const [row] = rows
    expect(row?.['LastChange']).toBe(moment === null ? null : Date.parse(moment))
    expect(row?.['_Other']).toBe(moment === null ? JSON.stringify({ LastChange: written }) : null)
  })

  it('has only the requested language', async () => {
    const representation = {
      ...({ language: 'it', fields: [], selectedBy: 'hub', removeNullValues: false } as const),
    }
    const record = { Id: 'a', Detail: { de: { Title: 'See' }, it: { Title: 'Lago' } } }
    const { names: found, rows } = await pass(
      pair,
      contextOf(entityOf('Event'), { representation }),
      [[load(record)]],
    )
    expect(found.filter((name) => name.endsWith('.Title'))).toEqual(['Detail.it.Title'])
    expect(rows[0]).toMatchObject({ 'Detail.it.Title': 'Lago', _Other: null })
  })
})

/** Names of fields: of all forms that the schema has, and some that it does not have. */
const names = [
  ...[
    'Shortname',
    'Active',
    'LastChange',
    'DateBegin',
    'Detail',
    'ContactInfos',
    'GpsInfo',
    'Mapping',
  ],
  ...[
    'HasLanguage',
    'LocationInfo',
    'LicenseInfo',
    'OrgRID',
    '_Meta',
    'New',
    'a.b',
    '__proto__',
    'geometry',
  ],
]

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '\udc00x', '😀', '', ' ', 'null', '2026-11-20T10:15:00Z', '\u2028'),
)
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1e308, 5e-324, 2 ** 53, -(2 ** 60)),
  text,
)
const key = fc.oneof(
  fc.constantFrom(
    'de',
    'en',
    'Title',
    'Id',
    'Name',
    'MunicipalityInfo',
    'LastUpdate',
    '',
    'a.b',
    '__proto__',
  ),
  text,
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}))

/** Returns records that are put together from a table again, and records as in their JSON. */
async function compare(pair: Pair, entity: Entity, pieces: readonly (readonly LoadedRecord[])[]) {
  const { rows } = await pass(pair, contextOf(entity), pieces)
  const { isTime, isJson } = kindsOf(entity)
  const shown = pieces.flat().map(({ id, data }) => ({
    ...fieldsOf(JSON.parse(data)),
    Self: `http://hub.test/${id}`,
  }))
  return {
    found: rows.map((row) => asHeld(toRecord(row, isJson), () => false)),
    expected: shown.map((record) => asHeld(record, isTime)),
  }
}
