import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { requirePrincipal } from '../access/index.ts'
import { permittedOperations } from '../content/index.ts'
import type { Entity } from '../content/index.ts'

const operation = {
  operationId: 'getRights',
  summary: 'Who your token says you are, and what you may change',
  description:
    'The Desk shows what this lists. What you may see follows from rules, and each dataset of the catalogue says it.',
  tags: ['Operation'],
  security: [{ bearer: [] }],
  response: {
    200: Type.Object({
      name: Type.String({ description: 'User name, or that of the service account' }),
      client: Type.String({ description: 'Client id that got the token' }),
      roles: Type.Array(Type.String(), { description: 'Roles that count here, sorted' }),
      isAdmin: Type.Boolean({ description: 'Whether the role ADMIN is among them' }),
      content: Type.Array(
        Type.Object({
          entity: Type.String({ description: 'Such as Accommodation' }),
          operations: Type.Array(Type.Enum(['Create', 'Update', 'Delete'])),
        }),
        { description: 'Entities whose records you may write' },
      ),
    }),
    401: Type.Ref('ProblemDetails'),
  },
}

/** `GET /rights`: what a caller may change, for pages that offer it. */
export const rightsRoutes =
  (entities: readonly Entity[]): FastifyPluginAsyncTypebox =>
  (app) => {
    app.get('/rights', { schema: operation }, (request, reply) => {
      const { name, client, roles } = requirePrincipal(request.principal)
      const content = entities.flatMap((entity) => {
        const operations = permittedOperations(entity, { roles })
        return operations.length === 0 ? [] : [{ entity: entity.path, operations: [...operations] }]
      })
      void reply.header('cache-control', 'no-store')
      return { name, client, roles: [...roles].sort(), isAdmin: roles.has('ADMIN'), content }
    })
    return Promise.resolve()
  }
