/** A function that an expression calls, or gives to another function to call. */
export type Call = {
  readonly name: string
  /** The first argument, where it is a text. */
  readonly argument: string | undefined
  /** Where the name stands in the text of the expression, from 0. */
  readonly offset: number
}

type Calls = {
  readonly calls: readonly Call[]
  /** Names that the expression binds itself, to functions or to values. */
  readonly bound: ReadonlySet<string>
}

/** Functions of JSONata that are given a function. */
const higher = new Set(['each', 'filter', 'map', 'reduce', 'sift', 'single', 'sort'])

/** Finds the functions that an expression needs. @param ast of JSONata */
export function callsIn(ast: unknown): Calls {
  const calls: Call[] = []
  const bound = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const name of namesBoundBy(node)) bound.add(name)
    calls.push(...callsOf(node))
    for (const child of Object.values(node)) visit(child)
  }
  visit(ast)
  return { calls, bound }
}

/** `$f := …`, `function($f) {…}`, and steps of paths: `a@$f`, `a#$f`. */
function namesBoundBy(node: object): readonly string[] {
  const { type, lhs, arguments: parameters, focus, index } = partsOf(node)
  if (type === 'bind') return [valueOf(lhs) ?? '']
  if (type === 'lambda') return listOf(parameters).map((one) => valueOf(one) ?? '')
  return [focus, index].filter((name) => typeof name === 'string')
}

/** What a node itself calls: `$f(…)`, `… ~> $f`, and `$f` in `$map(…, $f)`. */
function callsOf(node: object): readonly Call[] {
  const { type, value, rhs, procedure, arguments: written } = partsOf(node)
  if (type === 'apply') return namedBy(rhs)
  if ((type !== 'function' && type !== 'partial') || value !== '(') return []
  const given = listOf(written)
  const [first] = given
  const argument = partsOf(first)['type'] === 'string' ? valueOf(first) : undefined
  const called = namedBy(procedure).map((call) => ({ ...call, argument }))
  // In a chain (`… ~> $map($f)`) the function is the first argument.
  const isHigher = called.some(({ name }) => higher.has(name))
  return isHigher ? [...called, ...given.slice(0, 2).flatMap(namedBy)] : called
}

/** A variable, as a function that is called. */
function namedBy(node: unknown): readonly Call[] {
  const { type, value, position } = partsOf(node)
  if (type !== 'variable' || typeof value !== 'string') return []
  // It is the position behind the name; a $ stands before it.
  const end = typeof position === 'number' ? position : 0
  return [{ name: value, argument: undefined, offset: Math.max(0, end - value.length - 1) }]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function partsOf(node: unknown): Readonly<Partial<Record<string, unknown>>> {
  return typeof node === 'object' && node !== null ? Object.fromEntries(Object.entries(node)) : {}
}

function valueOf(node: unknown): string | undefined {
  const { value } = partsOf(node)
  return typeof value === 'string' ? value : undefined
}
