/** How long this takes: until its answer is there as a whole, where it is one. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  const result = await work()
  if (result instanceof Response) {
    const text = await result.text()
    if (result.status !== 200) throw new Error(`${result.url} answers ${result.status}: ${text}`)
  }
  return (performance.now() - started) / 1000
}
