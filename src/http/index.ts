export {
  allowCrossOrigin,
  compressAnswers,
  setSecurityHeaders,
  wantsStrictHandling,
} from './answer-hooks.ts'
export { createAnswerMemory } from './answer-memory.ts'
export {
  addLink,
  answerRead,
  byteOrderMark,
  heavyReads,
  isPublic,
  jsonType,
  matchesEtag,
  matchesRevision,
  reasonFor,
  recordEtag,
  sendText,
  setCaching,
  reportWithheld,
  toCsv,
  weakEtag,
  withheldHeader,
} from './answer.ts'
export type { Exchange, Read, Reason, Withheld } from './answer.ts'
export { trustProxyHeaders, identifyCallers, loggedAddress, networkOf } from './callers.ts'
export type { AddressDetail } from './callers.ts'
export { chooseFormat, contentTypeOf, preferredType } from './choose-format.ts'
export type { FormatChoice, Offer } from './choose-format.ts'
export {
  answerUnparsed,
  answerUnreadable,
  drainBodies,
  limitConnections,
  toServerOptions,
} from './connections.ts'
export type { ServerLimits } from './connections.ts'
export { chooseEncoding, encodings, packOnce } from './encoding.ts'
export type { Encoding, PackedBytes } from './encoding.ts'
export { answerUnrouted, errorHandler, explainErrors, toProblem } from './error-handler.ts'
export type { AnswerBrowser, ErrorFormat, ErrorContext, Problem } from './error-handler.ts'
export { describeRoutes, withoutUnused } from './openapi.ts'
export {
  assertNoneIgnored,
  describeOnly,
  readParameters,
  readQueries,
  readQuery,
  reportIgnored,
} from './query.ts'
