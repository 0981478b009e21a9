export type { Context } from './context.ts'
export { helpTexts, runCommand } from './run-command.ts'
