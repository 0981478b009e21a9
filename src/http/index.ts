export {
  allowCrossOrigin,
  authenticator,
  compressAnswers,
  drainBodies,
  identifyCallers,
  loggedAddress,
  networkOf,
  newRequestId,
  refuseUnmet,
  setCommonHeaders,
  trustProxyHeaders,
  wantsStrictHandling,
} from './request-hooks.ts'
export type { AddressDetail, Authenticate } from './request-hooks.ts'
export { createAnswerMemory, packOnce } from './answer-memory.ts'
export type { Answer, PackedBytes } from './answer-memory.ts'
export {
  addLink,
  answerRead,
  byteOrderMark,
  heavyReads,
  httpDate,
  isPublic,
  jsonType,
  matchesEtag,
  matchesRevision,
  matchesStrongly,
  reasonFor,
  recordEtag,
  sendText,
  setCaching,
  tagReads,
  reportWithheld,
  toCsv,
  weakEtag,
  withheldHeader,
} from './answer.ts'
export type { Exchange, Read, Reason, Withheld } from './answer.ts'
export {
  answerUnparsed,
  answerUnreadable,
  answerUnrouted,
  errorHandler,
  explainErrors,
  formatErrors,
  toProblem,
  anotherFile,
  rangeBehindEnd,
} from './error-handler.ts'
export type { AnswerBrowser, ErrorFormat, ErrorContext, Problem } from './error-handler.ts'
export {
  chooseEncoding,
  chooseFormat,
  contentTypeOf,
  encodings,
  fileNameHeader,
  formatNames,
  isNamed,
  parseWeights,
  preferredType,
} from './negotiate.ts'
export type { Encoding, FormatChoice, Offer } from './negotiate.ts'
export { checkedBody, readJsonBodies } from './json-bodies.ts'
export { describeRoutes, withoutUnused } from './openapi.ts'
export { faultOfUrl, internet, publicAddressesOf } from './outside.ts'
export type { Outside, Target } from './outside.ts'
export { rememberPlans } from './plan-memory.ts'
export {
  assertNoneIgnored,
  assertNotClamped,
  describeOnly,
  readMoment,
  readParameters,
  readQueries,
  readQuery,
  reportIgnored,
} from './query.ts'
