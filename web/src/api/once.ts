/** Loads something once for all who need it; after a failure the next call tries again. */
export function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let known: Promise<Value> | undefined
  return () => {
    known ??= load().catch((thrown: unknown) => {
      known = undefined
      throw thrown
    })
    return known
  }
}
