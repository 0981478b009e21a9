import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  contentRoutes,
  entitiesOf,
  registerDatasets,
  toNaming,
  viewsOf,
} from '../../src/content/index.ts'
import {
  countMobilityDataset,
  loadMobilityDatasets,
  versionedAs,
} from '../../src/timeseries/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { outsideWith } from '../fixtures/files-outside.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = [...entitiesOf(toNaming('Hub')), ...viewsOf(toNaming('Hub'))]
const mobility = { load: loadMobilityDatasets, count: countMobilityDataset, versionedAs }
const now = () => new Date('2026-11-21T10:00:00.000Z')

/** The file that is converted on the page about utilities. */
const files = new Map([
  [
    'https://example.org/area.kml',
    '<kml><Placemark><Point><coordinates>11,46.5</coordinates></Point></Placemark></kml>',
  ],
])

type Command = readonly [page: string, url: string, needsToken: boolean]

/** Every `curl` command on the pages: its URL, and whether it sends a token. */
const commands = [
  'content-metadata.md',
  'content-deprecations.md',
  'content-utilities.md',
  'content-search.md',
  'content-queries.md',
].flatMap((page): Command[] => {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('curl ') && !/--(form|data)/.test(line))
  return lines.map((line) => {
    const [, url = ''] =
      /['"]http:\/\/localhost:8080([^'"]*(?:'[^'"]*')*[^"]*?)['"](?: |$)/.exec(line) ?? []
    return [page, url, line.includes('Authorization')]
  })
})

describeWithDatabase(
  'the examples of the pages on metadata, deprecations and search',
  (database) => {
    let app: FastifyInstance
    beforeAll(async () => {
      await registerDatasets({ database: database(), entities, mobility, now })
      app = await createTestApp(
        contentRoutes({
          ...{ database: database(), entities, publicUrl, visibilityOf, mobility, now },
          outside: outsideWith(files),
        }),
      )
    })
    afterAll(() => app.close())

    it('exist', () => {
      expect(commands.length).toBeGreaterThanOrEqual(7)
    })

    it.each(commands)('%s: %s', async (_page, url, needsToken) => {
      const headers = needsToken ? { authorization: 'Bearer provider' } : {}
      const response = await app.inject({ url, headers })
      expect(response.statusCode).toBe(200)
      if (needsToken) expect((await app.inject(url)).statusCode).toBe(401)
      const isList = response.headers['content-type']?.startsWith('application/json') === true
      if (isList && url.includes('/MetaData'))
        expect(response.json().TotalResults).toBeGreaterThan(0)
    })
  },
)
