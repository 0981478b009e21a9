import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'
import { accommodation } from './entities/accommodation.ts'
import { canSelectInDatabase, parseFields, represent, selectInDatabase } from './representation.ts'
import { toNaming } from './naming.ts'

const entity = accommodation(toNaming('Hub'))
const names = ['de', 'en', 'a', 'b', '0', '-1', 'x.y', 'AccoRoomInfo', 'Id', '_Meta', 'Self']

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, 'text', 1.5, true, 'Größe "x"'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
  ),
}))
/** Every record has an identifier. */
const record = fc
  .dictionary(fc.constantFrom(...names), value, { maxKeys: 6 })
  .map((members) => ({ Id: 'A1', ...members }))

const step = fc.oneof(
  fc.constantFrom('.a', '.b', '.de', '.en', '.0', "['x.y']", '[0]', '[1]', '[*]', '.AccoRoomInfo'),
)
const path = fc
  .tuple(
    fc.constantFrom('a', 'b', 'de', 'en', 'Id', '_Meta', 'Self', 'AccoRoomInfo', '0'),
    fc.array(step, { maxLength: 3 }),
  )
  .map(([first, rest]) => first + rest.join(''))
const language = fc.constantFrom(undefined, 'de', 'it')

describeWithDatabase('fields that the database selects', (database) => {
  it('are those that the hub selects, for any record and any paths', async () => {
    const paths = fc.array(path, { minLength: 1, maxLength: 5 })
    let compared = 0
    await fc.assert(
      fc.asyncProperty(record, paths, language, async (data, written, wanted) => {
        const fields = parseFields(written)
        const selection = { entity, reduced: false, fields, language: wanted }
        if (!canSelectInDatabase(selection)) return
        compared += 1
        const stored = JSON.stringify(data)
        const [row] = await database().texts(sql`
          select ${selectInDatabase(selection)} from (select ${stored}::jsonb as data) as one`)
        const asked = { language: wanted, fields, removeNullValues: false }
        const ours = represent(stored, 's', { ...asked, selectedBy: 'hub' })
        const theirs = represent(row?.[0] ?? '', 's', { ...asked, selectedBy: 'database' })
        expect(JSON.parse(theirs)).toEqual(JSON.parse(ours))
      }),
      { numRuns: 800 },
    )
    expect(compared).toBeGreaterThan(50)
  })

  it('omit closed fields, and exclude paths that the hub must resolve', async () => {
    const select = (...written: readonly string[]) => {
      const selection = { entity, reduced: true, fields: parseFields(written) }
      return canSelectInDatabase(selection) ? selectInDatabase(selection) : undefined
    }
    expect(select('_Meta.Reduced')).toBeUndefined()
    expect(select('Self')).toBeUndefined()
    expect(select('Tags.[*].Id')).toBeUndefined()
    expect(select('Tags[0].Id')).toBeUndefined()
    const data = { Id: 'A', Shortname: 'x', AccoRoomInfo: [{ Id: 'secret' }] }
    const selected = select('Shortname', 'AccoRoomInfo', 'AccoRoomInfo.Id')
    const [row] = await database().texts(sql`
      select ${selected ?? sql`null`} from (select ${JSON.stringify(data)}::jsonb as data) as one`)
    expect(JSON.parse(row?.[0] ?? '')).toEqual({
      Id: 'A',
      Shortname: 'x',
      AccoRoomInfo: null,
      'AccoRoomInfo.Id': null,
    })
  })
})
