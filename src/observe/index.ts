export {
  answerClock,
  observeAnswers,
  openRegistry,
  showUses,
  countUse,
  measureStatements,
} from './observe-answers.ts'
export type { AnswerClock, StatementShape } from './observe-answers.ts'
export { hideSecrets, makeLog } from './make-log.ts'
export { healthRoutes, securityContactRoutes, serveMetrics } from './health.ts'
export type { MetricsAccess, Problem } from './health.ts'
export { openTracing } from './tracing.ts'
export type { Tracing } from './tracing.ts'
