import { Type } from 'typebox'
import type { Static, TProperties, TSchema } from 'typebox'
import { exactly, orNull, problem } from '../lang/schemas.ts'
import { forms, grantTypes, minPasswordLength } from './fields.ts'

const tags = ['Operation']
const security = [{ bearer: [] }]
const refusals = { 401: problem, 403: problem }
const writeRefusals = { 400: problem, ...refusals, 404: problem, 409: problem }

type Described = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
}

export const reading = <Answer extends TSchema>(described: Described, answer: Answer) => ({
  ...described,
  ...{ tags, security },
  response: { 200: answer, ...refusals, 409: problem },
})

/** Adds what the documentation of every write has in common. */
export const writing = <Answers>(described: Described, answers: Answers) => ({
  ...described,
  ...{ tags, security },
  response: { ...answers, ...writeRefusals },
})

export const nothing = Type.Null({ description: 'Done' })
/**
 * A line of text without control characters, which could control a terminal or which the database
 * cannot store.
 */
export const line = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]+$`, description })
const role = Type.String(forms.role)
const roles = (description: string) => Type.Array(role, { maxItems: 200, description })
const clientRoles = Type.Record(
  Type.String({ maxLength: 200 }),
  Type.Array(role, { maxItems: 200 }),
  {
    maxProperties: 50,
    description:
      'Roles of clients (resource_access), by client id. A change keeps those of clients that it omits',
  },
)
const addresses = (description: string) =>
  Type.Array(line(2000, 'URI'), { maxItems: 50, description })
const enabled = Type.Boolean({ description: 'false: keeps the account, but refuses tokens' })

const userFields = {
  enabled,
  email: orNull(line(320, 'E-mail address; null: none')),
  givenName: orNull(line(200, 'null: none')),
  familyName: orNull(line(200, 'null: none')),
  roles: roles('All roles, such as ADMIN or BDP_A22'),
  clientRoles,
}
const userName = Type.String({
  ...forms.userName,
  examples: ['ada'],
  description: 'Case-insensitive',
})
const user = Type.Object({ name: userName, ...userFields })

const clientFields = {
  enabled,
  grantTypes: Type.Array(Type.Enum(grantTypes), {
    maxItems: grantTypes.length,
    description: 'Grants with which it can request tokens',
  }),
  redirectUris: addresses('Exact redirect URIs after login'),
  logoutUris: addresses('Further redirect URIs after logout'),
  roles: roles('Roles in its own tokens'),
  clientRoles,
  scopeRoles: orNull(roles('The only roles that its users’ tokens can contain; null: all')),
  refreshSeconds: orNull(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999,
      description: 'Limit for the lifetime of its refresh tokens; null: that of the session',
    }),
  ),
}
const clientId = Type.String({
  ...forms.clientId,
  examples: ['loader'],
  description: 'Client id',
})
const client = Type.Object({
  id: clientId,
  kind: Type.Enum(['confidential', 'public'], { description: 'public: without a secret' }),
  ...clientFields,
})

export const optional = <Fields extends TProperties>(fields: Fields) =>
  Type.Partial(exactly(fields))
const password = Type.String({
  ...{ minLength: minPasswordLength, maxLength: 1000, format: 'password' },
})
const onceOnly = (what: string) =>
  orNull(Type.String({ description: `${what} that the hub generated, shown only here; else null` }))

/** Request bodies. */
export const bodies = {
  addUser: Type.Object(
    {
      name: userName,
      password: Type.Optional(password),
      ...Type.Partial(Type.Object(userFields)).properties,
    },
    {
      additionalProperties: false,
      examples: [{ name: 'ada', roles: ['BDP_A22'], email: 'ada@site.example' }],
    },
  ),
  changeUser: Type.Object(optional(userFields).properties, {
    additionalProperties: false,
    examples: [{ enabled: false }],
  }),
  setPassword: exactly(
    { password: Type.Optional(password) },
    { description: 'Without password the hub generates one', examples: [{}] },
  ),
  addClient: Type.Object(
    {
      id: clientId,
      public: Type.Optional(
        Type.Boolean({
          description: 'A program on its users’ devices, which cannot keep a secret',
        }),
      ),
      ...optional(clientFields).properties,
    },
    { additionalProperties: false, examples: [{ id: 'loader', roles: ['BDP_A22'] }] },
  ),
  changeClient: Type.Object(optional(clientFields).properties, {
    additionalProperties: false,
    examples: [{ scopeRoles: ['BDP_A22'], refreshSeconds: 600 }],
  }),
} as const

export type NewUser = Static<typeof bodies.addUser>

const userParameter = { params: Type.Object({ name: userName }) }
const clientParameter = { params: Type.Object({ id: clientId }) }

/** Operations on users. */
export const userOperations = {
  list: reading(
    {
      operationId: 'listUsers',
      summary: 'All users',
      description: 'For the role ADMIN. Passwords are never part of a response.',
    },
    Type.Object({ users: Type.Array(user) }),
  ),
  add: {
    ...writing(
      {
        operationId: 'addUser',
        summary: 'Add a user',
        description:
          'For the role ADMIN. Without a password the hub generates one and returns it only once.',
      },
      { 201: Type.Object({ ...user.properties, password: onceOnly('The password') }) },
    ),
    body: bodies.addUser,
  },
  change: {
    ...writing(
      {
        operationId: 'changeUser',
        summary: 'Change a user; other settings stay',
        description:
          'For the role ADMIN. Disabling ends all sessions. Access tokens with a role that is removed become invalid within 5 s.',
      },
      { 200: user },
    ),
    ...userParameter,
    body: bodies.changeUser,
  },
  setPassword: {
    ...writing(
      {
        operationId: 'setPassword',
        summary: 'Set a new password',
        description: 'For the role ADMIN. Ends all sessions of the user.',
      },
      { 200: Type.Object({ password: onceOnly('The password') }) },
    ),
    ...userParameter,
    body: bodies.setPassword,
  },
  logOut: {
    ...writing(
      {
        operationId: 'logOutUser',
        summary: 'End all sessions and revoke all tokens of a user',
        description: 'For the role ADMIN.',
      },
      { 204: nothing },
    ),
    ...userParameter,
  },
  remove: {
    ...writing(
      {
        operationId: 'removeUser',
        summary: 'Remove a user permanently, and end all sessions',
        description: 'For the role ADMIN. The last ADMIN cannot be removed.',
      },
      { 204: nothing },
    ),
    ...userParameter,
  },
  roles: reading(
    {
      operationId: 'listRoles',
      summary: 'All roles and who has them',
      description: 'For the role ADMIN. A role of a client is written client/ROLE.',
    },
    Type.Object({
      roles: Type.Array(
        Type.Object({
          role: Type.String(),
          users: Type.Array(Type.String()),
          clients: Type.Array(Type.String()),
        }),
      ),
    }),
  ),
}

/** Operations on clients. */
export const clientOperations = {
  list: reading(
    {
      operationId: 'listClients',
      summary: 'All clients: programs that request tokens',
      description: 'For the role ADMIN. Secrets are never part of a response.',
    },
    Type.Object({ clients: Type.Array(client) }),
  ),
  add: {
    ...writing(
      {
        operationId: 'addClient',
        summary: 'Add a client',
        description: 'For the role ADMIN. The hub generates its secret and returns it only once.',
      },
      { 201: Type.Object({ ...client.properties, secret: onceOnly('The secret') }) },
    ),
    body: bodies.addClient,
  },
  change: {
    ...writing(
      {
        operationId: 'changeClient',
        summary: 'Change a client; other settings stay',
        description:
          'For the role ADMIN. Disabling ends all its tokens. Access tokens with a role that is removed become invalid within 5 s.',
      },
      { 200: client },
    ),
    ...clientParameter,
    body: bodies.changeClient,
  },
  renewSecret: {
    ...writing(
      {
        operationId: 'renewSecret',
        summary: 'Generate a new secret',
        description:
          'For the role ADMIN. It is returned only once. The old secret and its tokens become invalid.',
      },
      { 200: Type.Object({ secret: Type.String({ description: 'Shown only here' }) }) },
    ),
    ...clientParameter,
  },
  logOut: {
    ...writing(
      {
        operationId: 'logOutClient',
        summary: 'Revoke all tokens of a client and of its users',
        description: 'For the role ADMIN.',
      },
      { 204: nothing },
    ),
    ...clientParameter,
  },
  remove: {
    ...writing(
      {
        operationId: 'removeClient',
        summary: 'Remove a client permanently, with its tokens and push permissions',
        description: 'For the role ADMIN. The client of the request’s own token cannot be removed.',
      },
      { 204: nothing },
    ),
    ...clientParameter,
  },
}
