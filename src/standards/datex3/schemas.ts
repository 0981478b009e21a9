import { Type } from 'typebox'
import { problem } from '../../lang/schemas.ts'

/** What a publication of DATEX II v3 is called in addresses and in OpenAPI. */
export type PublicationName = {
  readonly name: string
  readonly operationId: string
  readonly summary: string
  /** The type of the publication in the JSON encoding. */
  readonly type: string
  /** A provider of the demo. */
  readonly provider: string
}

export const publications: readonly PublicationName[] = [
  {
    name: 'energy-infrastructure-table',
    operationId: 'getEnergyInfrastructureTable',
    summary: 'Charging stations of a provider with their plugs, as DATEX II v3 under AFIR',
    type: 'aegiEnergyInfrastructureTablePublication',
    provider: 'alperia',
  },
  {
    name: 'energy-infrastructure-status',
    operationId: 'getEnergyInfrastructureStatus',
    summary: 'Which charging points of a provider are free, as DATEX II v3 under AFIR',
    type: 'aegiEnergyInfrastructureStatusPublication',
    provider: 'alperia',
  },
  {
    name: 'parking-table',
    operationId: 'getParkingTable',
    summary: 'Car parks and single parking places of a provider, as DATEX II v3',
    type: 'prkParkingTablePublication',
    provider: 'famas',
  },
  {
    name: 'parking-status',
    operationId: 'getParkingStatus',
    summary: 'How full the car parks of a provider are, as DATEX II v3',
    type: 'prkParkingStatusPublication',
    provider: 'famas',
  },
]

export function operationsOf({ operationId, summary, type, provider }: PublicationName) {
  return {
    operationId,
    summary,
    description:
      'Model 3.7. Everybody gets the same: values that are closed data are missing. Stations that ' +
      'cannot be published are listed in /health/standards.',
    tags: ['Traffic'],
    params: Type.Object({
      provider: Type.String({
        examples: [provider],
        maxLength: 255,
        description: 'Provider: its origin in lower case, with - for _',
      }),
    }),
    response: {
      200: {
        description: `The latest publication: XML, or the JSON encoding of DATEX II (${type})`,
        content: {
          'application/xml': { schema: Type.String() },
          'application/json': {
            schema: Type.Object({ payload: Type.Record(Type.String(), Type.Unknown()) }),
          },
        },
      },
      304: Type.Null({ description: 'The caller has the current document' }),
      404: problem,
      503: problem,
    },
  }
}

export const discoveryOperation = {
  operationId: 'listDatex3Publications',
  summary: 'Providers of DATEX II v3 and the publications of each',
  description: 'Every provider that has data for a publication, with absolute addresses.',
  tags: ['Traffic'],
  response: {
    200: Type.Record(Type.String(), Type.Record(Type.String(), Type.String({ format: 'uri' })), {
      description: 'Provider → publication → absolute URL',
    }),
    503: problem,
  },
}
