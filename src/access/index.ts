export {
  addGrant,
  addRules,
  listGrants,
  listRules,
  removeAllRules,
  removeGrant,
  removeGrantsOf,
  removeRules,
} from './rule-table.ts'
export { discoverProvider, remoteKeys } from './identity-provider.ts'
export type { Discover, ProviderMetadata } from './identity-provider.ts'
export { anonymous } from './principal.ts'
export type { Anonymous, Principal, Verified } from './principal.ts'
export type { PushPermission } from './push-permission.ts'
export { challenge, requirePrincipal, requireRole } from './principal.ts'
export { parseRuleFile, toRules } from './rule-file.ts'
export type { WrittenRule } from './rule-file.ts'
export { embeddedPushPermission, ownOnly, parsePushScope, ruleTable } from './rule-table.ts'
export type {
  AccessRule,
  Area,
  Every,
  PushGrant,
  PushScope,
  RuleTable,
  Visibility,
} from './rule-table.ts'
export { seesAll } from './visibility.ts'
export type { AskedFor } from './visibility.ts'
export { umaPushPermission } from './push-permission.ts'
export { tokenVerifier } from './verify-token.ts'
export type { Verification, VerifyToken } from './verify-token.ts'
export { visible } from './visibility.ts'
export type { VisibleColumns } from './visibility.ts'
