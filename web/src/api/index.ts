export { provideToken } from './ask.ts'
export { Cache } from './cache.ts'
export { catalogueRequest, loadCatalogue } from './catalogue.ts'
export type { Catalogue, Dataset } from './catalogue.ts'
export {
  checkExpression,
  detailRequests,
  loadDataset,
  loadMembers,
  loadValues,
} from './dataset-details.ts'
export type { Check, Issue, Member, Members, Values } from './dataset-details.ts'
export { loadExplorer } from './explorer.ts'
export type { Explorer } from './explorer.ts'
export { RequestFailure, isAbort, toFailure } from './failure.ts'
export type { Failure } from './failure.ts'
export { loadFreshness } from './freshness.ts'
export type { Freshness, FreshnessOf } from './freshness.ts'
export { pathOfLink } from './link.ts'
export type { Fault, Problem } from './problem.ts'
export { isReachable } from './is-reachable.ts'
export { once } from './once.ts'
export { addressOf } from './query.ts'
export type { Query } from './query.ts'
export { expectJson, forgetAnswers, prefetchJson, readJson, readResponse } from './read-json.ts'
export type { GetRequest } from './read-json.ts'
export type { paths } from './schema.d.ts'
