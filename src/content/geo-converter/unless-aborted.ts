/**
 * Waits for work that cannot be stopped itself, but no longer than until the signal.
 * @throws the reason of the signal
 */
export async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => {
    reject(new Error('The time is up.', { cause: signal.reason }))
  }
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
