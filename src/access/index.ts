export { changeAs, noteChange } from './actor.ts'
export { discoverProvider, remoteKeys } from './identity-provider.ts'
export type { Discover, ProviderMetadata } from './identity-provider.ts'
export { anonymous, challenge, requirePrincipal, requireRole, tokenVerifier } from './principal.ts'
export type { Anonymous, Principal, Verification, Verified, VerifyToken } from './principal.ts'
export { holdersOf, isPersonHolder, personHolder, umaPushPermission } from './push-permission.ts'
export type { PushPermission } from './push-permission.ts'
export { parseRuleFile, parseRules, toRules } from './rule-file.ts'
export type { WrittenRule } from './rule-file.ts'
export {
  addGrant,
  addRules,
  embeddedPushPermission,
  listGrants,
  listRules,
  ownOnly,
  parsePushScope,
  removeAllRules,
  removeGrant,
  removeGrantsOf,
  removeRules,
  ruleTable,
} from './rule-table.ts'
export type { AccessRule, Area, PushGrant, PushScope, RuleTable, Visibility } from './rule-table.ts'
export { seesAll, visible } from './visibility.ts'
export type { RequestedData, VisibleColumns } from './visibility.ts'
