/**
 * Access management by command and by route: users, clients, roles, rules, push permissions; and
 * the rights of a caller.
 */
export {
  addClient,
  assertUsable,
  changeClient,
  findClient,
  forgetClient,
  logOutClient,
  renewSecret,
  toChangedClient,
  toNewClient,
} from './clients.ts'
export type { ClientChange } from './clients.ts'
export { forms, generateSecret, grantTypes, noSuch, minPasswordLength } from './fields.ts'
export { renewKeys } from './key-routes.ts'
export { forgetRules, grantPush, revokePush, toHolder } from './permissions.ts'
export type { ScopeNames } from './permissions.ts'
export { listAudit } from './list-audit.ts'
export type { AuditFilter } from './list-audit.ts'
export { listRoles } from './roles.ts'
export type { Holder } from './roles.ts'
export { rightsRoutes } from './rights.ts'
export { adminRoutes } from './routes.ts'
export type { AdminDeps } from './guard.ts'
export { addUser, changeUser, findUser, forgetUser, logOutUser } from './users.ts'
export type { UserChange } from './users.ts'
