import type { clientOperations, userOperations } from '../../../../src/admin/schemas.ts'
import type { AnswerOf } from '../../../../src/lang/schemas.ts'
import { adding, changing, detailsOf, field } from './task.ts'
import type { Entry, Task } from './task.ts'
import { words } from './words.ts'

export type User = AnswerOf<typeof userOperations.list>['users'][number]

export type Client = AnswerOf<typeof clientOperations.list>['clients'][number]

const [users, clients] = ['/access/users', '/access/clients']

const userFields = () => [
  ...[field('roles', 'list', words().list), field('email', 'textOrNull')],
  ...[field('givenName', 'textOrNull'), field('familyName', 'textOrNull')],
]

const passwordField = () => field('password', 'textIfAny', words().hints.generated)

export function addUserTask(): Task {
  return adding(words().actions.addUser, {
    fields: [field('name', 'text'), ...userFields(), passwordField()],
    toRequest: (body) => ({ method: 'POST', path: users, body }),
  })
}

export function toUserEntry(user: User): Entry {
  const { disabled, fields } = words()
  const person = [user.givenName, user.familyName].filter((name) => name !== null).join(' ')
  return {
    ...{ key: user.name, title: user.name, tags: user.roles },
    states: user.enabled ? [] : [disabled],
    details: [
      ...detailsOf(user, ['email']),
      ...(person === '' ? [] : [[`${fields.givenName}, ${fields.familyName}`, person] as const]),
    ],
    tasks: userTasks(user),
  }
}

function userTasks(user: User): readonly Task[] {
  const { name } = user
  const { actions, confirm } = words()
  const path = `${users}/${encodeURIComponent(name)}`
  return [
    changing(actions.change, name, {
      ...{ action: actions.save, record: user },
      fields: [...userFields(), field('enabled', 'flag')],
      toRequest: (body) => ({ method: 'PATCH', path, body }),
    }),
    changing(actions.password, name, {
      ...{ action: actions.save, lead: confirm.password(name), fields: [passwordField()] },
      toRequest: (body) => ({ method: 'POST', path: `${path}/password`, body }),
    }),
    changing(actions.logout, name, {
      lead: confirm.logoutUser(name),
      toRequest: () => ({ method: 'POST', path: `${path}/logout` }),
    }),
    changing(actions.remove, name, {
      lead: confirm.removeUser(name),
      toRequest: () => ({ method: 'DELETE', path }),
    }),
  ]
}

const clientFields = () => {
  const { hints, list } = words()
  return [
    ...[field('roles', 'list', list), field('grantTypes', 'listIfAny', hints.grants)],
    ...[field('redirectUris', 'list', list), field('scopeRoles', 'listOrNull', hints.scope)],
  ]
}

export function addClientTask(): Task {
  return adding(words().actions.addClient, {
    fields: [field('id', 'text'), ...clientFields(), field('public', 'flag')],
    toRequest: (body) => ({ method: 'POST', path: clients, body }),
  })
}

export function toClientEntry(client: Client): Entry {
  const { disabled, public: isPublic } = words()
  return {
    ...{ key: client.id, title: client.id, tags: client.roles },
    states: [
      ...(client.enabled ? [] : [disabled]),
      ...(client.kind === 'public' ? [isPublic] : []),
    ],
    details: detailsOf(client, ['grantTypes', 'redirectUris', 'scopeRoles']),
    tasks: clientTasks(client),
  }
}

function clientTasks(client: Client): readonly Task[] {
  const { actions, confirm, fields } = words()
  const { id } = client
  const path = `${clients}/${encodeURIComponent(id)}`
  const renewal = changing(actions.secret, id, {
    lead: confirm.secret(id),
    toRequest: () => ({ method: 'POST', path: `${path}/secret` }),
  })
  return [
    changing(actions.change, id, {
      ...{ action: actions.save, record: client },
      fields: [...clientFields(), { ...field('enabled', 'flag'), label: fields.clientEnabled }],
      toRequest: (body) => ({ method: 'PATCH', path, body }),
    }),
    ...(client.kind === 'public' ? [] : [renewal]),
    changing(actions.logout, id, {
      lead: confirm.logoutClient(id),
      toRequest: () => ({ method: 'POST', path: `${path}/logout` }),
    }),
    changing(actions.remove, id, {
      lead: confirm.removeClient(id),
      toRequest: () => ({ method: 'DELETE', path }),
    }),
  ]
}
