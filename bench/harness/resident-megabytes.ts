import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { stopHub } from '../../test/fixtures/hub-process.ts'
import type { HubProcess } from '../../test/fixtures/hub-process.ts'
import type { Environment } from './environment.ts'
import { readNumber } from './run-program.ts'
import { secondsToRead } from './seconds-to-read.ts'

/** Returns the resident memory of a hub: `VmRSS` of proc(5), which is in units of 1024 bytes. */
export async function residentMegabytes(hub: HubProcess): Promise<number> {
  const status = await readFile(`/proc/${String(hub.process.pid)}/status`, 'utf8')
  return (readNumber(status, /VmRSS:\s+(\d+) kB/) * 1024) / 1e6
}

type Reading = { readonly path: string; readonly bytes: number }

/**
 * Returns the memory sizes of a fresh hub while it sends a long response for the second time, and
 * the duration in seconds.
 */
export async function sizesWhileReading({ startHub }: Environment, { path, bytes }: Reading) {
  const hub = await startHub()
  try {
    await secondsToRead(`${hub.url}${path}`, bytes)
    const sizes = [await residentMegabytes(hub)]
    const reading = { isOver: false }
    const read = secondsToRead(`${hub.url}${path}`, bytes).finally(() => {
      reading.isOver = true
    })
    while (!reading.isOver) {
      sizes.push(await residentMegabytes(hub))
      await pause(100)
    }
    return { sizes, seconds: await read }
  } finally {
    await stopHub(hub)
  }
}

/** Returns the largest growth compared with the first size. */
export function growthOf(sizes: readonly number[]) {
  const [start = 0] = sizes
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  const range = `${least.toFixed(0)} to ${most.toFixed(0)} MB`
  return { growth: Math.max(0, most - start), range }
}
