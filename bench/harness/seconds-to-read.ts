/**
 * Returns the seconds until the last byte of a response has arrived. The body is discarded.
 * @throws Error if the status is not 200, the response is cut off, or it has fewer bytes than
 * expected
 */
export async function secondsToRead(
  address: string,
  expectedBytes: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const started = performance.now()
  const response = await fetch(address, {
    headers: { 'accept-encoding': 'identity', ...headers },
  })
  if (response.status !== 200) throw new Error(`${address} answers ${String(response.status)}.`)
  const bytes = await countBytes(response.body)
  if (bytes < expectedBytes) throw new Error(`${address} has ${String(bytes)} bytes only.`)
  return (performance.now() - started) / 1000
}

async function countBytes(body: ReadableStream<Uint8Array> | null): Promise<number> {
  if (body === null) return 0
  const reader = body.getReader()
  let bytes = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.byteLength
  }
  return bytes
}
