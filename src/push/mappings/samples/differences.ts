/** So many are told of one sample; more help nobody. */
const mostTold = 20

/** What is different between two JSON values, a line for each place. */
export function differences(
  expected: unknown,
  actual: unknown,
  pointer: string,
): readonly string[] {
  const found = [...compare(expected, actual, pointer)]
  if (found.length <= mostTold) return found
  return [...found.slice(0, mostTold), `… and ${String(found.length - mostTold)} more differences`]
}

function* compare(expected: unknown, actual: unknown, pointer: string): Iterable<string> {
  if (isObject(expected) && isObject(actual) && Array.isArray(expected) === Array.isArray(actual)) {
    const [before, after] = [new Map(Object.entries(expected)), new Map(Object.entries(actual))]
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      yield* compare(before.get(name), after.get(name), `${pointer}/${escaped(name)}`)
    }
    return
  }
  if (Object.is(expected, actual)) return
  yield `${pointer}: expected ${shown(expected)}, found ${shown(actual)}`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
