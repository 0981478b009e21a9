import { readdir, readFile } from 'node:fs/promises'
import type { HubProcess } from '../../test/fixtures/hub-process.ts'
import type { Postgresql } from './postgresql.ts'

/** Seconds of a processor core since the start, by who used them. */
export type ProcessorSeconds = {
  /** The thread that answers requests. */
  readonly answers: number
  /** The other threads of the hub: the one that works on pushed messages, garbage collection. */
  readonly threads: number
  /** All processes of the database. */
  readonly database: number
}

/** As proc(5) counts them, in hundredths. */
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

/** `utime` and `stime`, the 14th and 15th field; the second is a name that may hold blanks. @returns 0 when it ended */
async function secondsIn(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}
