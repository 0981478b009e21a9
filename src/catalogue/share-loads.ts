type Loading<Value> = {
  /** For how long a result is answered after it was loaded, in ms. */
  readonly age: number
  readonly now: () => Date
  readonly load: () => Promise<Value>
}

/** One load for all who ask while it is under way, or shortly after. A failure is not kept. */
export function shareLoads<Value>({ age, now, load }: Loading<Value>): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; until: number } | undefined
  const time = () => now().getTime()
  return () => {
    // A clock that was put back must not keep a result for longer.
    const isKept = kept !== undefined && time() < kept.until && kept.until - time() <= age
    const isPending = kept?.until === Infinity
    if (kept !== undefined && (isKept || isPending)) return kept.value
    const made = { value: load(), until: Infinity }
    kept = made
    made.value.then(
      () => (made.until = time() + age),
      () => (made.until = 0),
    )
    return made.value
  }
}
