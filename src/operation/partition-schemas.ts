import { Type } from 'typebox'
import { exactly, problem } from '../lang/schemas.ts'
import { retirements } from '../timeseries/index.ts'

const month = (description: string) =>
  Type.String({
    maxLength: 7,
    pattern: '^20\\d\\d-(0[1-9]|1[0-2])$',
    examples: ['2025-01'],
    description,
  })

const how = Type.Enum([...retirements], {
  description:
    'detach leaves the tables in place, move moves them to measurement_archive, drop deletes them, parquet moves the values to files that can still be read',
})

export const retireBody = exactly(
  {
    before: month('Months before this one are retired'),
    how: Type.Optional(how),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only list what would be retired' })),
  },
  { examples: [{ before: '2025-01', how: 'detach', dryRun: true }] },
)

const common = { tags: ['Operation'], security: [{ bearer: [] }] }
const refusals = { 400: problem, 401: problem, 403: problem, 409: problem, 503: problem }

/** `POST /operation/partitions/retire` */
export const retireOperation = {
  operationId: 'retirePartitions',
  summary: 'Remove months of measurements from all responses, or from the database',
  description:
    'For the role ADMIN. Without how, HUB_MEASUREMENT_RETIREMENT applies. Reads and writes continue meanwhile. waiting: earlier reads use this month, or another one is retired first; busy: something else, such as a vacuum, uses the tables. Repeat the request later.',
  ...{ ...common, body: retireBody },
  response: {
    200: Type.Object({
      months: Type.Array(
        Type.Object({
          name: Type.String({ description: 'The table, such as measurement_2024_05' }),
          outcome: Type.Enum([...retirements, 'waiting', 'busy']),
        }),
      ),
    }),
    ...{ ...refusals, 413: problem, 415: problem },
  },
}

/** `POST /operation/partitions/{month}/attach` */
export const attachOperation = {
  operationId: 'attachPartition',
  summary: 'Attach a month of measurements again that was detached, moved or cold',
  description:
    'For the role ADMIN. Reads and writes continue meanwhile. GET /operation lists the months.',
  ...common,
  params: Type.Object({ month: month('The month') }),
  response: {
    200: Type.Object({ month: Type.String(), state: Type.Literal('attached') }),
    ...{ ...refusals, 404: problem },
  },
}
