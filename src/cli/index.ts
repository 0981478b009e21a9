export type { Context } from './context.ts'
export { runCommand } from './run-command.ts'
