/** Paths that begin with the same names, as a tree. */
export type PathTree = {
  /** Whether one of the paths ends here. */
  readonly ends: boolean
  readonly steps: ReadonlyMap<string, PathTree>
}

/** Any name of an element. */
const any = '*'

/** The trees of dotted paths, such as `data.stations.station` and `data.*.sensor`. */
export function compilePaths(paths: readonly string[]): readonly PathTree[] {
  return paths.length === 0 ? [] : [toTree(paths.map((path) => path.split('.')))]
}

/** What is left of the paths inside of an element. */
export function descend(trees: readonly PathTree[], name: string): readonly PathTree[] {
  if (trees.length === 0) return trees
  return trees.flatMap(({ steps }) =>
    [steps.get(name), name === any ? undefined : steps.get(any)].filter(
      (tree) => tree !== undefined,
    ),
  )
}

function toTree(paths: readonly (readonly string[])[]): PathTree {
  const byName = Map.groupBy(
    paths.filter((path) => path.length > 0),
    ([first = '']) => first,
  )
  return {
    ends: paths.some((path) => path.length === 0),
    steps: new Map(
      [...byName].map(([name, within]) => [name, toTree(within.map((path) => path.slice(1)))]),
    ),
  }
}
