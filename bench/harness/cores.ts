import { runProgram } from './run-program.ts'

/**
 * Runs `work` while a server has the first core to itself, and this process shares the second with
 * the load generators that it starts.
 */
export async function onCoresOfTheirOwn<Result>(
  server: number | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const processes = [
    { pid: String(server), core: '0' },
    { pid: String(process.pid), core: '1' },
  ]
  const before = await Promise.all(processes.map(({ pid }) => coresOf(pid)))
  for (const { pid, core } of processes) await setCores(pid, core)
  try {
    return await work()
  } finally {
    for (const [index, { pid }] of processes.entries()) await setCores(pid, before[index] ?? '0-1')
  }
}

/** Returns the cores of a process. Parses `pid 7's current affinity list: 0,1` → `0,1`. */
async function coresOf(pid: string): Promise<string> {
  const output = await runProgram('taskset', ['-pc', pid])
  return output.split(': ').at(-1)?.trim() ?? ''
}

/** Assigns cores to a process with all its threads. */
async function setCores(pid: string, cores: string): Promise<void> {
  await runProgram('taskset', ['-apc', cores, pid])
}
