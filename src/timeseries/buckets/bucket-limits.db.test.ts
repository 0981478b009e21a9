import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { levelsApp } from '../../../test/fixtures/levels-app.ts'

const span = '2026-11-20/2026-11-21'

describeWithDatabase('Requests for buckets and points', (database) => {
  const { get, dataOf } = levelsApp(database)

  it('are exempt from the history limit only if buckets last a day or longer', async () => {
    const status = async (query: string) =>
      (await get(`/v2/flat/R/free/2026-01-01/2026-12-01?${query}`)).statusCode
    expect(await status('bucket=1d')).toBe(200)
    expect(await status('bucket=24h')).toBe(200)
    expect(await status('bucket=1mo&points=10')).toBe(200)
    expect(await status('bucket=1h')).toBe(429)
    expect(await status('points=10')).toBe(429)
  })

  it.each([
    ['bucket=1x', 'bucket', 1],
    ['bucket=P1DT1H', 'bucket', 4],
    ['bucket=', undefined, undefined],
    ['bucket=1h&agg=median', 'agg', undefined],
    ['bucket=1d&select=mtransactiontime', 'select', 0],
    ['bucket=1d&select=scode,mvalue.level', 'select', 6],
    ['bucket=1d&select=max(mperiod)', 'select', 0],
    ['select=first(mvalue)', 'select', 0],
    ['points=2', 'points', undefined],
    ['points=10001', 'points', undefined],
    ['points=5&select=max(mvalue)', 'points', undefined],
  ])('are validated: %s', async (query, parameter, position) => {
    const answer = await get(`/v2/flat/R/free/${span}?${query}`)
    if (parameter === undefined) {
      expect(answer.statusCode).toBe(200)
      return
    }
    expect(answer.statusCode).toBe(400)
    const place = position === undefined ? {} : { position }
    expect(answer.json()).toMatchObject({ errors: [{ parameter, ...place }] })
  })

  it('are refused if a range has too many buckets', async () => {
    const answer = await get('/v2/flat/R/free/0001-01-01/9999-01-01?bucket=1d')
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ errors: [{ parameter: 'bucket' }] })
    expect(await dataOf('/v2/flat/R/free/0001-01-01/9999-01-01?bucket=1w')).not.toEqual([])
  })

  it('return the same rows if the range includes empty centuries', async () => {
    const [narrow, wide] = ['2026-11-01/2026-12-01', '0001-01-01/9999-01-01']
    for (const path of ['flat/R/free', 'flat/R/*', 'tree/R/free']) {
      for (const query of ['bucket=1w', 'bucket=1w&where=mvalue.gt.3', 'bucket=1w&points=5']) {
        const found = await dataOf(`/v2/${path}/${narrow}?${query}&limit=-1`)
        expect(await dataOf(`/v2/${path}/${wide}?${query}&limit=-1`)).toEqual(found)
      }
    }
    expect(await dataOf(`/v2/flat/R/free/2027-01-01/9999-01-01?bucket=1w`)).toEqual([])
    expect(await dataOf(`/v2/flat/R/free/${wide}?bucket=1w&where=mvalue.gt.5000`)).toEqual([])
  })

  it('report bucket, points and agg as ignored where they do not apply', async () => {
    const ignored = async (url: string, headers = {}) => {
      const answer = await get(url, headers)
      return [answer.statusCode, answer.headers['x-ignored-parameters']]
    }
    expect(await ignored('/v2/flat/R/free/latest?bucket=1d')).toEqual([200, 'bucket'])
    const metadata = `/v2/flat/R/metadata/${span}?bucket=1d&points=5`
    expect(await ignored(metadata)).toEqual([200, 'bucket, points'])
    expect(await ignored(`/v2/flat/R/free/${span}?agg=max`)).toEqual([200, 'agg'])
    const strict = { prefer: 'handling=strict' }
    expect(await ignored(metadata, strict)).toEqual([400, undefined])
    expect((await ignored(`/v2/flat/R/free/${span}?agg=max`, strict))[0]).toBe(400)
    expect((await ignored(`/v2/flat/R/free/${span}?bucket=1d&agg=max`, strict))[0]).toBe(200)
  })

  it('have a separate ETag for each set of aggregates', async () => {
    const url = `/v2/flat/R/free/${span}?bucket=1d`
    const { etag = '' } = (await get(url)).headers
    expect((await get(url, { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await get(`${url}&agg=max`, { 'if-none-match': etag })).statusCode).toBe(200)
  })
})
