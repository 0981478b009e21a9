export { authenticator } from './authenticate.ts'
export type { Authenticate } from './authenticate.ts'
export {
  addGrant,
  addRules,
  listGrants,
  listRules,
  removeAllRules,
  removeGrant,
  removeGrantsOf,
  removeRules,
} from './edit-rules.ts'
export { discoverProvider } from './identity-provider.ts'
export type { Discover, ProviderMetadata } from './identity-provider.ts'
export { anonymous } from './principal.ts'
export type { Anonymous, Principal, Verified } from './principal.ts'
export { embeddedPushPermission } from './push-permission.ts'
export type { PushPermission } from './push-permission.ts'
export { ownOnly, parsePushScope } from './push-scope.ts'
export type { PushScope } from './push-scope.ts'
export { remoteKeys } from './remote-keys.ts'
export { challenge, requirePrincipal, requireRole } from './require.ts'
export { parseRuleFile, toRules } from './rule-file.ts'
export type { WrittenRule } from './rule-file.ts'
export { ruleTable } from './rule-table.ts'
export type { Every, RuleTable } from './rule-table.ts'
export type { AccessRule, Area, PushGrant } from './rules.ts'
export { seesAll } from './sees-all.ts'
export type { AskedFor } from './sees-all.ts'
export { umaPushPermission } from './uma-push-permission.ts'
export { tokenVerifier } from './verify-token.ts'
export type { Verification, VerifyToken } from './verify-token.ts'
export { visible } from './visible.ts'
export type { VisibleColumns } from './visible.ts'
export type { Visibility } from './visibility.ts'
