import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { sendText } from '../../http/index.ts'
import type { Group } from './records.ts'
import { anchorOf } from './tell-deprecated.ts'

const entry = Type.Object({
  of: Type.String({ description: 'Name of the entity, or of what else the address belongs to' }),
  kind: Type.Enum(['member', 'parameter', 'route']),
  name: Type.String({ description: 'Path of a member, name of a parameter, or an address' }),
  type: Type.String({ description: 'Of the member; or Parameter, or Route' }),
  state: Type.Enum(['deprecated', 'removed'], {
    description: 'What is deprecated is served; what is removed is neither stored nor served',
  }),
  description: Type.String({ description: 'What to use instead' }),
  since: Type.String({ format: 'date' }),
  until: Type.String({ format: 'date', description: 'Served until this day at least' }),
  anchor: Type.String({ description: 'Where links in headers lead on the page of deprecations' }),
})

const operation = {
  operationId: 'getDeprecations',
  summary: 'What is on its way out, or gone, and what to use instead',
  description:
    'The same as `/v1/Deprecated`, for everybody, as one list; `/docs/deprecations` shows it to people.',
  tags: ['Catalogue'],
  response: { 200: Type.Object({ deprecations: Type.Array(entry) }) },
}

/** The table of deprecations for whoever asks: the page behind the links in headers is made of it. */
export function publicTable(app: FastifyInstance, groups: () => readonly Group[]): void {
  let text: string | undefined
  app.get('/deprecations', { schema: operation }, (request, reply) => {
    // Which addresses are served is known once the app is ready, and does not change.
    text ??= JSON.stringify({ deprecations: groups().flatMap(toEntries) })
    return sendText({ request, reply }, text)
  })
}

function toEntries({ name: of, rows }: Group): readonly object[] {
  return rows.map(({ row, record }) => ({
    of,
    kind: row.kind,
    name: record.Name,
    type: record.Type,
    state: row.state,
    description: record.Description,
    since: record.DeprecationDate,
    until: record.RemovedAfter,
    anchor: anchorOf(row),
  }))
}
