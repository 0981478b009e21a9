import type { clientOperations, userOperations } from '../../../../src/admin/schemas.ts'
import type { AnswerOf } from '../../../../src/lang/schemas.ts'
import { itemsOf, itemsOrNull, stated, textOrNull } from './task.ts'
import type { Entry, Task, Values } from './task.ts'
import { words } from './words.ts'

export type User = AnswerOf<typeof userOperations.list>['users'][number]

export type Client = AnswerOf<typeof clientOperations.list>['clients'][number]

const [users, clients] = ['/access/users', '/access/clients']

/** A task without anything to fill in. */
function confirmed(
  label: string,
  name: string,
  rest: Pick<Task, 'toRequest'> & { readonly lead: string },
): Task {
  return { label, title: words().of(label, name), action: label, fields: [], values: {}, ...rest }
}

const userFields = () => {
  const { fields, list } = words()
  return [
    { name: 'roles', label: fields.roles, hint: list },
    { name: 'email', label: fields.email },
    { name: 'givenName', label: fields.givenName },
    { name: 'familyName', label: fields.familyName },
  ]
}

const toUser = (values: Values) => ({
  roles: itemsOf(values['roles']),
  email: textOrNull(values['email']),
  givenName: textOrNull(values['givenName']),
  familyName: textOrNull(values['familyName']),
})

const passwordField = () => ({
  ...{ name: 'password', label: words().fields.password, hint: words().hints.generated },
})

const passwordOf = ({ password = '' }: Values) => (password === '' ? {} : { password })

export function addUserTask(): Task {
  const { actions, fields } = words()
  return {
    ...{ label: actions.addUser, title: actions.addUser, action: actions.add },
    fields: [{ name: 'name', label: fields.name }, ...userFields(), passwordField()],
    values: { name: '', roles: '', email: '', givenName: '', familyName: '', password: '' },
    toRequest: (values) => {
      const body = { name: values['name'], ...toUser(values), ...passwordOf(values) }
      return { method: 'POST', path: users, body }
    },
  }
}

export function toUserEntry(user: User): Entry {
  const { disabled, fields } = words()
  const person = [user.givenName, user.familyName].filter((name) => name !== null).join(' ')
  return {
    ...{ key: user.name, title: user.name, tags: user.roles },
    states: user.enabled ? [] : [disabled],
    details: stated([
      [fields.email, user.email],
      [`${fields.givenName}, ${fields.familyName}`, person],
    ]),
    tasks: userTasks(user),
  }
}

function userTasks({ name, enabled, roles, email, givenName, familyName }: User): readonly Task[] {
  const { actions, confirm, fields, of } = words()
  const path = `${users}/${encodeURIComponent(name)}`
  return [
    {
      ...{ label: actions.change, title: of(actions.change, name), action: actions.save },
      fields: [...userFields(), { name: 'enabled', label: fields.enabled }],
      values: {
        ...{ enabled, roles: roles.join(', '), email: email ?? '' },
        ...{ givenName: givenName ?? '', familyName: familyName ?? '' },
      },
      toRequest: (values) => {
        return { method: 'PATCH', path, body: { enabled: values['enabled'], ...toUser(values) } }
      },
    },
    {
      ...{ label: actions.password, title: of(actions.password, name), action: actions.save },
      ...{ lead: confirm.password(name), fields: [passwordField()], values: { password: '' } },
      toRequest: (values) => ({
        method: 'POST',
        path: `${path}/password`,
        body: passwordOf(values),
      }),
    },
    confirmed(actions.logout, name, {
      lead: confirm.logoutUser(name),
      toRequest: () => ({ method: 'POST', path: `${path}/logout` }),
    }),
    confirmed(actions.remove, name, {
      lead: confirm.removeUser(name),
      toRequest: () => ({ method: 'DELETE', path }),
    }),
  ]
}

const clientFields = () => {
  const { fields, hints, list } = words()
  return [
    { name: 'roles', label: fields.roles, hint: list },
    { name: 'grantTypes', label: fields.grantTypes, hint: hints.grants },
    { name: 'redirectUris', label: fields.redirectUris, hint: list },
    { name: 'scopeRoles', label: fields.scopeRoles, hint: hints.scope },
  ]
}

function toClient(values: Values) {
  const grantTypes = itemsOf(values['grantTypes'])
  return {
    roles: itemsOf(values['roles']),
    ...(grantTypes.length === 0 ? {} : { grantTypes }),
    redirectUris: itemsOf(values['redirectUris']),
    scopeRoles: itemsOrNull(values['scopeRoles']),
  }
}

export function addClientTask(): Task {
  const { actions, fields } = words()
  return {
    ...{ label: actions.addClient, title: actions.addClient, action: actions.add },
    fields: [
      { name: 'id', label: fields.id },
      ...clientFields(),
      { name: 'public', label: fields.public },
    ],
    values: { id: '', roles: '', grantTypes: '', redirectUris: '', scopeRoles: '', public: false },
    toRequest: (values) => {
      const body = { id: values['id'], public: values['public'], ...toClient(values) }
      return { method: 'POST', path: clients, body }
    },
  }
}

export function toClientEntry(client: Client): Entry {
  const { disabled, fields, public: isPublic } = words()
  return {
    ...{ key: client.id, title: client.id, tags: client.roles },
    states: [
      ...(client.enabled ? [] : [disabled]),
      ...(client.kind === 'public' ? [isPublic] : []),
    ],
    details: stated([
      [fields.grantTypes, client.grantTypes],
      [fields.redirectUris, client.redirectUris],
      [fields.scopeRoles, client.scopeRoles],
    ]),
    tasks: clientTasks(client),
  }
}

function clientTasks(client: Client): readonly Task[] {
  const { actions, confirm, fields, of } = words()
  const { id } = client
  const path = `${clients}/${encodeURIComponent(id)}`
  const renewal = confirmed(actions.secret, id, {
    lead: confirm.secret(id),
    toRequest: () => ({ method: 'POST', path: `${path}/secret` }),
  })
  return [
    {
      ...{ label: actions.change, title: of(actions.change, id), action: actions.save },
      fields: [...clientFields(), { name: 'enabled', label: fields.clientEnabled }],
      values: {
        ...{ enabled: client.enabled, roles: client.roles.join(', ') },
        grantTypes: client.grantTypes.join(', '),
        redirectUris: client.redirectUris.join(', '),
        scopeRoles: (client.scopeRoles ?? []).join(', '),
      },
      toRequest: (values) => {
        return { method: 'PATCH', path, body: { enabled: values['enabled'], ...toClient(values) } }
      },
    },
    ...(client.kind === 'public' ? [] : [renewal]),
    confirmed(actions.logout, id, {
      lead: confirm.logoutClient(id),
      toRequest: () => ({ method: 'POST', path: `${path}/logout` }),
    }),
    confirmed(actions.remove, id, {
      lead: confirm.removeClient(id),
      toRequest: () => ({ method: 'DELETE', path }),
    }),
  ]
}
