export {
  answerClock,
  observeAnswers,
  openRegistry,
  serveMetrics,
  showUses,
} from './observe-answers.ts'
export type { AnswerClock, MetricsAccess } from './observe-answers.ts'
export { hideSecrets, logOutput, makeLog } from './make-log.ts'
export { healthRoutes, securityContactRoutes } from './health.ts'
export type { Problem } from './health.ts'
export { countUse } from './count-use.ts'
export { measureStatements } from './measure-statements.ts'
export type { StatementShape } from './measure-statements.ts'
export { openTracing } from './tracing.ts'
export type { Tracing } from './tracing.ts'
