import type { Definition } from '../definition/definition.ts'
import type { SourceRejection } from '../faults.ts'

/** How long the expressions of a mapping may take, and how deep they may go. */
export function limitsOf({ limits = {} }: Definition) {
  const { seconds = 30, itemSeconds = 1, depth = 300 } = limits
  return { seconds, itemSeconds: Math.min(itemSeconds, seconds), depth }
}

/** Characters that an object or a rejection counts for beside its text. */
export const weightOfOne = 100

/** How much rejections take, in characters. */
export function weightOf(rejected: readonly SourceRejection[]): number {
  return rejected.reduce(
    (sum, { reason, pointer = '' }) => sum + reason.length + pointer.length + weightOfOne,
    0,
  )
}
