import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { queryPath } from './query-path.ts'

describe('The query path', () => {
  it.each([
    ['/v1/Accommodation?pagesize=1', '/v1/Accommodation'],
    ['/v1/Accommodation/', '/v1/Accommodation'],
    ['/v1/%41ccommodation', '/v1/Accommodation'],
    ['/v1/Accommodation#1', '/v1/Accommodation'],
    ['http://hub.test/v1/Accommodation?a', '/v1/Accommodation'],
    ['https://hub.test', '/'],
    ['/v1/Accommodation/A%2CB', '/v1/Accommodation/A,B'],
    ['/v1/Accommodation/%E0%A4%A', '/v1/Accommodation/%E0%A4%A'],
    ['/v2', '/v2'],
    ['/v2/', '/v2'],
    ['/v2/flat/%2A/*', '/v2/flat/*/*'],
    ['', '/'],
  ])('of %s is %s', (url, path) => {
    expect(queryPath(url)).toBe(path)
  })

  it.each([
    ['/v2/flat/P/free/latest?limit=1', '/v2/flat/P/free/latest'],
    ['/v2/flat/P/free/2024-01-01/2024-01-02', '/v2/flat/P/free/{from}/{to}'],
    ['/v2/flat/P/free/now/then', '/v2/flat/P/free/{from}/{to}'],
    [
      '/v2/tree,node/P/metadata/2024-01-01/2024-01-02T10:00%2B0100',
      '/v2/tree,node/P/metadata/{from}/{to}',
    ],
    ['/v2/flat,event/R/latest', '/v2/flat,event/R/latest'],
    ['/v2/flat,event/R/2024-01-01', '/v2/flat,event/R/{from}'],
    ['/v2/flat%2Cevent/R/2024-01-01/2024-01-02', '/v2/flat,event/R/{from}/{to}'],
    ['/v2/flat,edge/R', '/v2/flat,edge/R'],
  ])('of %s is without times: %s', (url, path) => {
    expect(queryPath(url)).toBe(path)
  })

  it('is the same for all spellings of a path', () => {
    const segment = fc.stringMatching(/^[A-Za-z0-9*,_-]{1,8}$/)
    const spelled = (text: string, isCoded: (position: number) => boolean) =>
      Array.from(text)
        .map((letter, at) =>
          isCoded(at) ? `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}` : letter,
        )
        .join('')
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.boolean()),
        fc.constantFrom('', '/', '?a=/b', '/?a', '#x'),
        (segments, coded, end) => {
          const other = segments
            .map((text) => spelled(text, () => coded.next().value === true))
            .join('/')
          expect(queryPath(`/v2/${other}${end}`)).toBe(queryPath(`/v2/${segments.join('/')}`))
        },
      ),
    )
  })

  it('never fails', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (url) => {
        expect(queryPath(url)).toMatch(/^\//)
      }),
    )
  })
})
