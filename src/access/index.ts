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
export { embeddedPushPermission } from './push-permission.ts'
export type { PushPermission } from './push-permission.ts'
export { ownOnly, parsePushScope } from './push-permission.ts'
export type { PushScope } from './push-permission.ts'
export { challenge, requirePrincipal, requireRole } from './principal.ts'
export { parseRuleFile, toRules } from './rule-file.ts'
export type { WrittenRule } from './rule-file.ts'
export { ruleTable } from './rule-table.ts'
export type { Every, RuleTable } from './rule-table.ts'
export type { AccessRule, Area, PushGrant } from './rules.ts'
export { seesAll } from './visibility.ts'
export type { AskedFor } from './visibility.ts'
export { umaPushPermission } from './push-permission.ts'
export { tokenVerifier } from './verify-token.ts'
export type { Verification, VerifyToken } from './verify-token.ts'
export { visible } from './visibility.ts'
export type { VisibleColumns } from './visibility.ts'
export type { Visibility } from './visibility.ts'
