import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readJsonBodies } from '../http/index.ts'
import { hashSecret, listClients, listUsers } from '../identity/index.ts'
import type { StoredClient, User } from '../identity/index.ts'
import { addClient, changeClient, findClient } from './clients.ts'
import { forgetClient, logOutClient, renewSecret } from './clients.ts'
import { generateSecret } from './fields.ts'
import {
  assertAdministered,
  assertNotFixed,
  assertOtherClient,
  bodyLimit,
  bodyOf,
  changeBy,
  demandAdmin,
  demandOwnAccounts,
  sendJson,
} from './guard.ts'
import type { AdminDeps } from './guard.ts'
import { keyRoutes } from './key-routes.ts'
import { permissionRoutes } from './permission-routes.ts'
import { listRoles } from './roles.ts'
import { bodies, clientOperations, userOperations } from './schemas.ts'
import { addUser, changeUser, findUser, forgetUser, logOutUser } from './users.ts'

const users = '/access/users'
const clients = '/access/clients'

/** Routes under `/access`: the functions of `hub access`, for the role ADMIN (docs/access.md). */
export const adminRoutes =
  (deps: AdminDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', demandAdmin)
    readJsonBodies(app, { empty: null })
    await app.register(accountRoutes(deps))
    await app.register(permissionRoutes(deps))
  }

const accountRoutes =
  (deps: AdminDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('preHandler', demandOwnAccounts(deps))
    await app.register(userRoutes(deps))
    await app.register(oneUserRoutes(deps))
    await app.register(passwordRoutes(deps))
    await app.register(clientRoutes(deps))
    await app.register(oneClientRoutes(deps))
    await app.register(secretRoutes(deps))
    await app.register(keyRoutes(deps))
  }

const userRoutes =
  (deps: AdminDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { database } = deps
    const { list, roles, add } = userOperations
    app.get(users, { schema: list }, async (_, reply) =>
      sendJson(reply, { users: (await listUsers(database)).map(toShownUser) }),
    )
    app.get('/access/roles', { schema: roles }, async (_, reply) =>
      sendJson(reply, { roles: await listRoles(database) }),
    )
    app.post(users, { schema: add, bodyLimit }, async (request, reply) => {
      const { name, password = null, ...sent } = bodyOf(bodies.addUser, request)
      assertNotFixed(deps, 'user', name)
      const generated = password === null ? generateSecret() : null
      const hash = await hashSecret(password ?? generated ?? '')
      const added = await changeBy(deps, request, async (tx) => {
        await addUser(tx, name, { ...sent, hash })
        return await findUser(tx, name)
      })
      return sendJson(reply.code(201), { ...toShownUser(added), password: generated })
    })
    return Promise.resolve()
  }

const oneUserRoutes =
  (deps: AdminDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { change, remove } = userOperations
    const path = `${users}/:name` as const
    app.patch(path, { schema: change, bodyLimit }, async (request, reply) => {
      const named = { name: request.params.name, now: deps.now() }
      const sent = bodyOf(bodies.changeUser, request)
      const changed = await changeBy(deps, request, async (tx) => {
        await changeUser(tx, named, sent)
        await assertAdministered(tx, deps, request)
        return await findUser(tx, named.name)
      })
      return sendJson(reply, toShownUser(changed))
    })
    app.delete(path, { schema: remove }, async (request, reply) => {
      const named = { name: request.params.name, now: deps.now() }
      await changeBy(deps, request, async (tx) => {
        await forgetUser(tx, named)
        await assertAdministered(tx, deps, request)
      })
      return reply.code(204).send(null)
    })
    return Promise.resolve()
  }

const passwordRoutes =
  (deps: AdminDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { setPassword, logOut } = userOperations
    const path = `${users}/:name` as const
    app.post(`${path}/password`, { schema: setPassword, bodyLimit }, async (request, reply) => {
      const sent: unknown = request.body
      const { password = null } = bodyOf(bodies.setPassword, { body: sent ?? {} })
      const generated = password === null ? generateSecret() : null
      const hash = await hashSecret(password ?? generated ?? '')
      const named = { name: request.params.name, now: deps.now() }
      await changeBy(deps, request, (tx) => changeUser(tx, named, { hash }))
      return sendJson(reply, { password: generated })
    })
    app.post(`${path}/logout`, { schema: logOut, bodyLimit }, async (request, reply) => {
      const named = { name: request.params.name, now: deps.now() }
      await changeBy(deps, request, (tx) => logOutUser(tx, named))
      return reply.code(204).send(null)
    })
    return Promise.resolve()
  }

const clientRoutes =
  (deps: AdminDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { list, add } = clientOperations
    app.get(clients, { schema: list }, async (_, reply) =>
      sendJson(reply, { clients: (await listClients(deps.database)).map(toShownClient) }),
    )
    app.post(clients, { schema: add, bodyLimit }, async (request, reply) => {
      const { id, public: isPublic = false, ...sent } = bodyOf(bodies.addClient, request)
      assertNotFixed(deps, 'client', id)
      const secret = isPublic ? null : generateSecret()
      const hash = secret === null ? undefined : await hashSecret(secret)
      const added = await changeBy(deps, request, async (tx) => {
        await addClient(tx, { id, hash, change: sent })
        return await findClient(tx, id)
      })
      return sendJson(reply.code(201), { ...toShownClient(added), secret })
    })
    return Promise.resolve()
  }

const oneClientRoutes =
  (deps: AdminDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { change, remove } = clientOperations
    const path = `${clients}/:id` as const
    app.patch(path, { schema: change, bodyLimit }, async (request, reply) => {
      const named = { id: request.params.id, now: deps.now() }
      const sent = bodyOf(bodies.changeClient, request)
      const changed = await changeBy(deps, request, async (tx) => {
        await changeClient(tx, named, sent)
        await assertAdministered(tx, deps, request)
        return await findClient(tx, named.id)
      })
      return sendJson(reply, toShownClient(changed))
    })
    app.delete(path, { schema: remove }, async (request, reply) => {
      const named = { id: request.params.id, now: deps.now() }
      assertOtherClient(request, named.id)
      await changeBy(deps, request, async (tx) => {
        await forgetClient(tx, named)
        await assertAdministered(tx, deps, request)
      })
      return reply.code(204).send(null)
    })
    return Promise.resolve()
  }

const secretRoutes =
  (deps: AdminDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { renewSecret: renew, logOut } = clientOperations
    const path = `${clients}/:id` as const
    app.post(`${path}/secret`, { schema: renew, bodyLimit }, async (request, reply) => {
      const secret = generateSecret()
      const hash = await hashSecret(secret)
      const named = { id: request.params.id, now: deps.now() }
      await changeBy(deps, request, (tx) => renewSecret(tx, named, hash))
      return sendJson(reply, { secret })
    })
    app.post(`${path}/logout`, { schema: logOut, bodyLimit }, async (request, reply) => {
      const named = { id: request.params.id, now: deps.now() }
      await changeBy(deps, request, (tx) => logOutClient(tx, named))
      return reply.code(204).send(null)
    })
    return Promise.resolve()
  }

/** Returns the fields of a user that responses show: everything except the password hash. */
function toShownUser({ username, enabled, email, givenName, familyName, ...user }: User) {
  const { roles, clientRoles } = user
  return { name: username, enabled, email, givenName, familyName, roles, clientRoles }
}

/** Returns the fields of a client that responses show: everything except the secret. */
function toShownClient({ clientId: id, secret, ...shown }: StoredClient) {
  return { id, kind: secret === null ? 'public' : 'confidential', ...shown }
}
