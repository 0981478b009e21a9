import { Type } from 'typebox'
import { problem } from '../../lang/schemas.ts'

const system = Type.String({
  examples: ['demo-bikes'],
  maxLength: 100,
  description: 'system_id',
})

const file = Type.String({
  examples: ['station_status.json'],
  maxLength: 100,
  description: 'One of the files that gbfs.json lists',
})

const feed = (version: string, lastUpdated: object) => ({
  200: Type.Object(
    {
      last_updated: Type.Unsafe<unknown>(lastUpdated),
      ttl: Type.Integer({ description: 'Seconds' }),
      version: Type.Literal(version),
      data: Type.Record(Type.String(), Type.Unknown()),
    },
    { description: `A file of GBFS ${version}` },
  ),
  304: Type.Null({ description: 'The caller has the current file' }),
  404: problem,
  503: problem,
})

const ofVersion3 = feed('3.0', { type: 'string', format: 'date-time' })
const ofVersion2 = feed('2.3', { type: 'integer', description: 'Seconds since 1970' })
const tags = ['Sharing']

const description =
  'Public: the same for every caller, with what everybody may see. What cannot be mapped is left out, see /health/standards.'

const discovery = 'The one address that a client needs: the others are linked, absolute.'

export const manifestOperation = {
  operationId: 'getGbfsManifest',
  summary: 'Sharing systems in the form of GBFS, with the start of each version',
  description: 'Follows from the files of the systems (HUB_GBFS), whatever stations there are.',
  tags,
  response: ofVersion3,
}

export const discoveryOperation = {
  operationId: 'getGbfsDiscovery',
  summary: 'Files of a sharing system, GBFS 3.0',
  description: discovery,
  tags,
  params: Type.Object({ system }),
  response: ofVersion3,
}

export const fileOperation = {
  operationId: 'getGbfsFile',
  summary: 'One file of a sharing system, GBFS 3.0',
  description,
  tags,
  params: Type.Object({ system, file }),
  response: ofVersion3,
}

export const formerDiscoveryOperation = {
  operationId: 'getGbfsDiscovery2',
  summary: 'Files of a sharing system in each language, GBFS 2.3',
  description: discovery,
  tags,
  params: Type.Object({ system }),
  response: ofVersion2,
}

export const formerFileOperation = {
  operationId: 'getGbfsFile2',
  summary: 'One file of a sharing system in one language, GBFS 2.3',
  description,
  tags,
  params: Type.Object({
    system,
    language: Type.String({
      examples: ['en'],
      maxLength: 6,
      description: 'One of those that gbfs.json lists',
    }),
    file,
  }),
  response: ofVersion2,
}
