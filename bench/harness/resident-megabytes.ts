import { readFile } from 'node:fs/promises'
import type { HubProcess } from '../../test/fixtures/hub-process.ts'
import { readNumber } from './run-program.ts'

/** `VmRSS` of proc(5), in units of 1024 bytes. */
export async function residentMegabytes(hub: HubProcess): Promise<number> {
  const status = await readFile(`/proc/${String(hub.process.pid)}/status`, 'utf8')
  return (readNumber(status, /VmRSS:\s+(\d+) kB/) * 1024) / 1e6
}
