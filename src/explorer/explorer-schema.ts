import { Type } from 'typebox'
import type { Static } from 'typebox'

const map = Type.Object(
  {
    tiles: Type.Optional(
      Type.String({ description: 'Template of background tiles: `{z}`, `{x}`, `{y}`' }),
    ),
    attribution: Type.Optional(Type.String({ description: 'Whom to name for the tiles' })),
  },
  { description: 'Without tiles the shapes of the hub are the background.' },
)

const login = Type.Object(
  {
    issuer: Type.String({ format: 'uri', description: 'OpenID provider that issues the tokens' }),
    clientId: Type.String({ description: 'The public client that the page is there' }),
  },
  { description: 'Null: the operator has registered no client for the page.' },
)

const service = Type.Enum(['content', 'timeseries', 'traffic', 'push'])

/** What a page on top of this hub has to know before it asks for data. */
export const explorerSchema = Type.Object({
  title: Type.String({ description: 'What this hub is called' }),
  version: Type.String({ description: 'Version of the hub' }),
  publicUrl: Type.String({
    format: 'uri',
    description: 'Address that links to the hub start with',
  }),
  timeZone: Type.String({ description: 'IANA name of the zone of the region' }),
  languages: Type.Array(Type.String(), { description: 'Languages of the page' }),
  services: Type.Array(service, { description: 'Services that run here' }),
  map,
  login: Type.Union([login, Type.Null()]),
})

export type Explorer = Static<typeof explorerSchema>
