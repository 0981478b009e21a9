import jsonata from 'jsonata'
import { ExpressionFault, SyntaxFault } from '../faults.ts'

/** How long and how deep one evaluation may go. */
export type ExpressionLimits = { readonly milliseconds: number; readonly depth: number }

type Variables = Readonly<Record<string, unknown>>

/** Functions by their names, without the `$`. */
export type Functions = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>

/** An expression, compiled once and evaluated often; never two times at once. */
export type Expression = {
  /** @throws ExpressionFault with a reason */
  readonly evaluate: (input: unknown) => Promise<unknown>
  readonly assign: (variables: Variables) => void
}

/** Results of more members are not collected. */
const mostMembers = 2_000_000

/**
 * Compiles JSONata. What would run texts of a payload as expressions, or give another result each time,
 * is not offered: a message that is replayed gives the same again.
 * @throws SyntaxFault
 */
export function compileExpression(
  text: string,
  functions: Functions,
  { milliseconds, depth }: ExpressionLimits,
): Expression {
  const compiled = parse(text, { timeout: milliseconds, stack: depth, sequence: mostMembers })
  for (const [name, implementation] of Object.entries({ ...withheld, ...functions })) {
    compiled.registerFunction(name, implementation)
  }
  return {
    evaluate: async (input) => {
      try {
        const result: unknown = await compiled.evaluate(input)
        return result
      } catch (error) {
        throw new ExpressionFault(explain(error, text))
      }
    },
    assign: (variables) => {
      for (const [name, value] of Object.entries(variables)) compiled.assign(name, value)
    },
  }
}

const withheld: Functions = {
  eval: () => refuse('$eval'),
  random: () => refuse('$random'),
  shuffle: () => refuse('$shuffle'),
}

function refuse(name: string): never {
  throw new ExpressionFault(`${name} is not available in mappings`)
}

function parse(text: string, options: jsonata.JsonataOptions): jsonata.Expression {
  try {
    return jsonata(text, options)
  } catch (error) {
    throw new SyntaxFault(messageOf(error), offsetOf(error) ?? 0)
  }
}

function explain(error: unknown, text: string): string {
  const offset = offsetOf(error)
  const place = offset === undefined ? '' : `${placeIn(text, offset)}: `
  return `${place}${messageOf(error)}`
}

/** Characters of a reason in a receipt. */
const longest = 500

/** JSONata throws objects that are no errors, with `message` and the offset behind the token. */
function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  const text = String(error.message)
  return text.length <= longest
    ? text
    : `${text.slice(0, longest)}… (${String(text.length)} characters)`
}

function offsetOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('position' in error)) return undefined
  return typeof error.position === 'number' ? Math.max(0, error.position - 1) : undefined
}

function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${String(lines.length)}, column ${String((lines.at(-1)?.length ?? 0) + 1)}`
}
