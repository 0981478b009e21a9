import { Type } from 'typebox'
import { form } from '../errors/index.ts'
import { problem } from '../lang/schemas.ts'
import { zoned } from '../timeseries/index.ts'

const publication = {
  description: 'The latest SituationPublication of the provider, DATEX II 2.0 (d2LogicalModel)',
  content: {
    'application/xml': { schema: Type.String() },
    'application/geo+json': {
      schema: Type.Object(
        { type: Type.Literal('FeatureCollection'), features: Type.Array(Type.Unknown()) },
        { description: 'The same situations as GeoJSON' },
      ),
    },
  },
}

const unchanged = Type.Null({ description: 'The caller has the current document' })

const provider = Type.String({
  examples: ['example'],
  maxLength: 255,
  description: 'Provider: its origin in lower case, with - for _',
})

export const sinceDescription =
  'publicationTime of the document or changes that the caller has (ISO 8601 with a zone)'

const notZoned = 'is not a valid time with a zone; write it like 2026-11-20T10:15:00Z'

const query = Type.Object({
  since: Type.Optional(
    Type.String({
      // An unencoded "+" arrives as a space.
      ...form(zoned.pattern.replace('[+-]', '[ +-]'), notZoned),
      maxLength: 40,
      examples: ['2026-11-20T10:15:00.000Z'],
      description: `${sinceDescription}: only situations that changed or ended since. X-Complete: true means that the answer is the whole document, because not all changes since are known`,
    }),
  ),
})

const summary = 'Traffic situations of a provider as DATEX II'
const description =
  'The latest publication: current and future situations, and those that ended within the last hour.'

/** `GET {datex_url}/datex/2/` (interface 4.11, decision D54). */
export const discoveryOperation = {
  operationId: 'listTrafficFeeds',
  summary: 'Providers of traffic situations and the files that each publishes',
  description: 'Every provider that has published situations, with absolute URLs.',
  tags: ['Traffic'],
  response: {
    200: Type.Record(Type.String(), Type.Record(Type.String(), Type.String({ format: 'uri' })), {
      description: 'Provider → feed type → absolute URL',
    }),
    503: problem,
  },
}

/** `GET {datex_url}/v1/{EntityType}/{id}` (interface 4.11, decision D54). */
export const publicationOperation = {
  operationId: 'getSituationPublication',
  summary,
  description,
  tags: ['Traffic'],
  params: Type.Object({
    // Not an enumeration: another name is a path that does not exist, so it gets 404 and not 400.
    entityType: Type.String({
      maxLength: 100,
      examples: ['situation-publication'],
      description: 'situation-publication, or its alias Announcement',
    }),
    id: provider,
  }),
  querystring: query,
  response: { 200: publication, 304: unchanged, 400: problem, 404: problem, 503: problem },
}

/** The path of the public system (decision D54). */
export const publicationFileOperation = {
  operationId: 'getSituationPublicationFile',
  summary: `${summary}, at the path of the public system`,
  description,
  tags: ['Traffic'],
  params: Type.Object({ provider }),
  querystring: query,
  response: { 200: publication, 304: unchanged, 400: problem, 404: problem, 503: problem },
}

/** The situations in the current version of the standard. */
export const publication3Operation = {
  operationId: 'getSituationPublication3',
  summary: 'Traffic situations of a provider as DATEX II v3',
  description: `${description} Model 3.7; the same situations as in v2.`,
  tags: ['Traffic'],
  params: Type.Object({ provider }),
  response: {
    200: {
      description:
        'The latest publication: XML, or the JSON encoding of DATEX II (sitSituationPublication)',
      content: {
        'application/xml': { schema: Type.String() },
        'application/json': {
          schema: Type.Object({ payload: Type.Record(Type.String(), Type.Unknown()) }),
        },
      },
    },
    304: unchanged,
    404: problem,
    503: problem,
  },
}
