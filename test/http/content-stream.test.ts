import { expect, it } from 'vitest'
import { describeOnEachEngine } from '../fixtures/databases.ts'
import { rowsOf, useFormats } from '../fixtures/formats.ts'

describeOnEachEngine('streams of the content service', (database) => {
  const get = useFormats(database)

  it('streams all records in list order, whatever the page size', async () => {
    const { text } = await get('/v1/Tag?format=ndjson&stream=true&pagesize=1&fields=Id')
    const ids = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).Id)
    const pages = await Promise.all(
      [1, 2].map(async (page) => {
        const url = `/v1/Tag?pagesize=225&pagenumber=${String(page)}&fields=Id`
        return (await get(url)).json().Items.map(({ Id }: { Id: string }) => Id)
      }),
    )
    expect(ids).toEqual(pages.flat())
    const whole = (await get('/v1/Tag?stream=true&language=de')).json()
    expect(whole).toMatchObject({
      TotalResults: 450,
      TotalPages: 1,
      CurrentPage: 1,
      NextPage: null,
    })
    expect(whole.Items).toHaveLength(450)
  })

  it('streams CSV with a column for a member that only the last record has', async () => {
    const rows = rowsOf((await get('/v1/Tag?format=csv&stream=true')).text)
    expect(rows).toHaveLength(450)
    expect(rows).toContainEqual(
      expect.objectContaining({ Id: 'tag 449', OnlyTheLastHasThis: '449' }),
    )
    expect(rows).toContainEqual(expect.objectContaining({ Id: 'tag 0', OnlyTheLastHasThis: '' }))
  })

  it('streams nothing that the caller may not see', async () => {
    const url = '/v1/Accommodation?format=csv&stream=true'
    const open = (await get(url)).text
    expect(open).not.toMatch(/A3|AccoRoomInfo/)
    const all = (await get(url, { authorization: 'Bearer closed' })).text
    expect(all).toMatch(/A3/)
    expect(all).toMatch(/AccoRoomInfo/)
  })

  it('streams an empty list as one that is whole', async () => {
    expect((await get('/v1/Venue?stream=true')).json()).toMatchObject({
      TotalResults: 0,
      Items: [],
    })
    expect((await get('/v1/Venue?stream=true&format=csv')).text).toBe('')
    expect((await get('/v1/Venue?stream=true&format=geojson')).json().features).toEqual([])
  })

  it('says in which formats everything can be had', async () => {
    const { status, json } = await get('/v1/Accommodation?format=json-ld&stream=true')
    expect(status).toBe(400)
    expect(json().errors).toMatchObject([
      {
        parameter: 'stream',
        expected: ['format=json', 'format=csv', 'format=geojson', 'format=ndjson'],
      },
    ])
  })
})
