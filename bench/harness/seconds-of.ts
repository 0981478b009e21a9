/**
 * Returns the duration of `work`. If it returns a response, the duration includes the whole body.
 */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  const result = await work()
  if (result instanceof Response) {
    const text = await result.text()
    if (result.status !== 200) throw new Error(`${result.url} answers ${result.status}: ${text}`)
  }
  return (performance.now() - started) / 1000
}
