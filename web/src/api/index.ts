export { provideToken, isReachable } from './ask.ts'
export { Cache, forgetPerson, once } from './cache.ts'
export {
  catalogueRequest,
  loadCatalogue,
  checkExpression,
  detailRequests,
  freshnessRequest,
  loadDataset,
  loadMembers,
  loadValues,
  loadExplorer,
  loadFreshness,
} from './catalogue.ts'
export type {
  Catalogue,
  Dataset,
  Check,
  Issue,
  Member,
  Members,
  Parameter,
  Values,
  Explorer,
  Freshness,
  FreshnessOf,
} from './catalogue.ts'
export { RequestFailure, isAbort, isObject, toFailure } from './failure.ts'
export type { Failure, Fault, Problem } from './failure.ts'
export { addressOf, pathOfLink, quoteForWhere, quotePattern } from './query.ts'
export type { Query } from './query.ts'
export { loadRights, rightsRequest } from './rights.ts'
export type { Rights } from './rights.ts'
export { expectJson, forgetAnswers, prefetchJson, readJson, readResponse } from './read-json.ts'
export type { GetRequest } from './read-json.ts'
export { writeJson, writeOnly } from './write-json.ts'
export type { WriteRequest } from './write-json.ts'
