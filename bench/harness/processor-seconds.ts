import { readdir, readFile } from 'node:fs/promises'
import type { HubProcess } from '../../test/fixtures/hub-process.ts'
import type { Postgresql } from './postgresql.ts'

/** Seconds of processor time since the start, by who used them. */
export type ProcessorSeconds = {
  /** The thread that handles requests. */
  readonly answers: number
  /** All other threads of the hub: processing of pushed messages, garbage collection. */
  readonly threads: number
  /** All processes of the database. */
  readonly database: number
}

/** Reads the times of proc(5), which have a resolution of a hundredth of a second. */
export async function processorSeconds(
  hub: HubProcess,
  postgresql: Postgresql,
): Promise<ProcessorSeconds> {
  const process = `/proc/${String(hub.process.pid)}`
  const answers = await secondsIn(`${process}/task/${String(hub.process.pid)}/stat`)
  const server = `/proc/${String(postgresql.pid)}/task/${String(postgresql.pid)}`
  const children = (await readFile(`${server}/children`, 'utf8')).split(' ').filter(Boolean)
  const each = await Promise.all(children.map((child) => secondsIn(`/proc/${child}/stat`)))
  const database = each.reduce((sum, seconds) => sum + seconds, 0)
  return { answers, threads: (await secondsOfThreads(process)) - answers, database }
}

async function secondsOfThreads(process: string): Promise<number> {
  const threads = await readdir(`${process}/task`)
  const each = await Promise.all(threads.map((id) => secondsIn(`${process}/task/${id}/stat`)))
  return each.reduce((sum, seconds) => sum + seconds, 0)
}

/**
 * Returns the sum of `utime` and `stime`, the 14th and 15th field; the second field is a name that
 * may contain spaces. @returns 0 if the process has ended
 */
async function secondsIn(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}
