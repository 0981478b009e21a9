/** The paths with one of them moved by some places. */
export function moveColumn(paths: readonly string[], path: string, by: number): readonly string[] {
  const others = paths.filter((one) => one !== path)
  const target = Math.max(0, Math.min(others.length, paths.indexOf(path) + by))
  return paths.includes(path) ? others.toSpliced(target, 0, path) : paths
}
