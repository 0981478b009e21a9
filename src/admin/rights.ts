import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { requirePrincipal } from '../access/index.ts'
import type { PushPermission } from '../access/index.ts'
import { permittedOperations } from '../content/index.ts'
import type { Entity } from '../content/index.ts'

export const rightsOperation = {
  operationId: 'getRights',
  summary: 'The identity in your token, and what you may change',
  description:
    'The Desk shows what this lists. Rules determine what you may see; each dataset of the catalogue states it.',
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
      push: Type.Union([Type.Array(Type.String()), Type.Null()], {
        description:
          'Paths to which you may push, with * for any; null if only the identity provider knows them',
      }),
    }),
    401: Type.Ref('ProblemDetails'),
  },
}

/** Route `GET /rights`: what the caller may change, so that pages can offer it. */
export const rightsRoutes =
  (
    entities: readonly Entity[],
    { pathsOf }: Pick<PushPermission, 'pathsOf'>,
  ): FastifyPluginAsyncTypebox =>
  (app) => {
    app.get('/rights', { schema: rightsOperation }, (request, reply) => {
      const principal = requirePrincipal(request.principal)
      const { name, client, roles } = principal
      const push = pathsOf(principal) ?? null
      const content = entities.flatMap((entity) => {
        const operations = permittedOperations(entity, { roles })
        return operations.length === 0 ? [] : [{ entity: entity.path, operations: [...operations] }]
      })
      void reply.header('cache-control', 'no-store')
      return { name, client, roles: [...roles].sort(), isAdmin: roles.has('ADMIN'), content, push }
    })
    return Promise.resolve()
  }
