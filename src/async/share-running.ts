type Share<Value> = (key: string, work: () => Promise<Value>) => Promise<Value>

/** Runs work once for all who want the same while it is running. Nothing is kept afterwards. */
export function shareRunning<Value>(): Share<Value> {
  const running = new Map<string, Promise<Value>>()
  return (key, work) => {
    const known = running.get(key)
    if (known !== undefined) return known
    const started = work().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}

/**
 * Runs work once for all who wait for it to begin. What has begun before somebody came is not for them: it
 * may have looked at things too early. So what everybody gets was found out after they came.
 */
export function shareNext<Value>(): Share<Value> {
  const running = new Map<string, Promise<unknown>>()
  const coming = new Map<string, Promise<Value>>()
  const begin = (key: string, work: () => Promise<Value>) => {
    coming.delete(key)
    const started = work().finally(() => {
      if (running.get(key) === started) running.delete(key)
    })
    running.set(key, started)
    return started
  }
  return (key, work) => {
    const before = running.get(key)
    if (before === undefined) return begin(key, work)
    const known = coming.get(key)
    if (known !== undefined) return known
    const next = before.then(
      () => begin(key, work),
      () => begin(key, work),
    )
    coming.set(key, next)
    return next
  }
}
