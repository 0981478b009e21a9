import { ExpressionFault } from '../faults.ts'
import { compileExpression } from './expression.ts'

const format = compileExpression(
  '$fromMillis(time, picture, zone)',
  {},
  {
    milliseconds: 1000,
    depth: 100,
  },
)

/**
 * `$now(picture?, zone?)` of JSONata, for the time at which a message came.
 * @param received ISO 8601 in UTC
 * @throws ExpressionFault for a picture or a zone that is none
 */
export function receivedTime(received: string) {
  const time = Date.parse(received)
  return async (picture?: unknown, zone?: unknown): Promise<unknown> => {
    if (picture === undefined && zone === undefined) return received
    try {
      return await format.evaluate({ time, picture, zone })
    } catch (error) {
      throw withoutPlace(error)
    }
  }
}

/** Where the picture stands in the mapping is told by who called. */
function withoutPlace(error: unknown): unknown {
  if (!(error instanceof ExpressionFault)) return error
  return new ExpressionFault(error.message.replace(/^line \d+, column \d+: /u, ''))
}
