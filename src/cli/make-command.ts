import type { Command } from 'commander'
import type { Context } from './context.ts'

/** Makes one command. `setExitCode` is for a run that ended, but not all well. */
export type MakeCommand = (context: Context, setExitCode: (code: number) => void) => Command
