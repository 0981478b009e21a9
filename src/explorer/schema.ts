import { Type } from 'typebox'
import type { Static } from 'typebox'

const map = Type.Object(
  {
    tiles: Type.Optional(
      Type.String({ description: 'Template of background tiles: `{z}`, `{x}`, `{y}`' }),
    ),
    style: Type.Optional(
      Type.String({ description: 'URL of a MapLibre style, which replaces the tiles' }),
    ),
    attribution: Type.Optional(
      Type.String({ description: 'Attribution of the tiles or the style' }),
    ),
  },
  { description: 'Without tiles and style, maps use shapes of the hub as background.' },
)

const login = Type.Object(
  {
    issuer: Type.String({ format: 'uri', description: 'OpenID provider that issues the tokens' }),
    clientId: Type.String({ description: 'Client id of the page, a public client' }),
  },
  { description: 'Null: the operator has registered no client for the page.' },
)

const service = Type.Enum(['content', 'timeseries', 'traffic', 'push'])

/** Configuration that a web page of this hub reads before it requests data. */
export const explorerSchema = Type.Object({
  title: Type.String({ description: 'Name of the hub' }),
  version: Type.String({ description: 'Version of the hub' }),
  publicUrl: Type.String({
    format: 'uri',
    description: 'Base URL of links to the hub',
  }),
  timeZone: Type.String({ description: 'IANA name of the zone of the region' }),
  languages: Type.Array(Type.String(), { description: 'Languages of the page' }),
  services: Type.Array(service, { description: 'Available services' }),
  map,
  embed: Type.Boolean({
    description: 'Whether other websites may show views in a frame, at `?embed=true`',
  }),
  login: Type.Union([login, Type.Null()]),
})

export type Explorer = Static<typeof explorerSchema>
