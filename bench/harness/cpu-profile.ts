import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import type { HubProcess } from '../../test/fixtures/hub-process.ts'
import { freePort } from './postgresql.ts'

const profileType = Type.Object({
  nodes: Type.Array(
    Type.Object({
      id: Type.Integer(),
      callFrame: Type.Object({ functionName: Type.String(), url: Type.String() }),
      children: Type.Optional(Type.Array(Type.Integer())),
    }),
  ),
  samples: Type.Array(Type.Integer()),
  timeDeltas: Type.Array(Type.Number()),
})

type Profile = Static<typeof profileType>

/** A call stack, innermost function first, and the microseconds spent in it. */
export type Sample = {
  readonly frames: readonly Profile['nodes'][number]['callFrame'][]
  readonly microseconds: number
}

export type Profiler = {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<readonly Sample[]>
  /** Disconnects from the hub, which does not exit while a debugger is connected. */
  readonly close: () => void
}

/** Microseconds between two samples. */
const interval = 250

/** Returns the settings that allow profiling a hub, on a free port. */
export async function profiledSettings(): Promise<Readonly<Record<string, string>>> {
  return { NODE_OPTIONS: `--inspect-port=127.0.0.1:${String(await freePort())}` }
}

/** Profiles the JavaScript of a running hub that was started with those settings. */
export async function openProfiler(hub: HubProcess): Promise<Profiler> {
  hub.process.kill('SIGUSR1')
  const socket = new WebSocket(await inspectorOf(hub))
  await once(socket, 'open')
  const waiting = new Map<number, (result: unknown) => void>()
  let calls = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = Parse(answerType, JSON.parse(String(data)))
    if (id !== undefined) waiting.get(id)?.(result)
  })
  const call = (method: string, params: object = {}) => {
    calls += 1
    const answered = new Promise((resolve) => {
      waiting.set(calls, resolve)
    })
    socket.send(JSON.stringify({ id: calls, method, params }))
    return answered
  }
  await call('Profiler.enable')
  await call('Profiler.setSamplingInterval', { interval })
  return {
    start: async () => {
      await call('Profiler.start')
    },
    stop: async () => samplesOf(Parse(stoppedType, await call('Profiler.stop')).profile),
    close: () => {
      socket.close()
    },
  }
}

const answerType = Type.Object({
  id: Type.Optional(Type.Integer()),
  result: Type.Optional(Type.Unknown()),
})

const stoppedType = Type.Object({ profile: profileType })

async function inspectorOf({ output }: HubProcess): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const address = /Debugger listening on (ws:\S+)/.exec(output())?.[1]
    if (address !== undefined) return address
    await pause(50)
  }
  throw new Error('The hub opens no inspector.')
}

function samplesOf({ nodes, samples, timeDeltas }: Profile): readonly Sample[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  )
  const spent = new Map<number, number>()
  for (const [index, id] of samples.entries()) {
    // The time between two samples counts for the first of them.
    spent.set(id, (spent.get(id) ?? 0) + (timeDeltas[index + 1] ?? 0))
  }
  const framesOf = (id: number | undefined): Sample['frames'] => {
    const node = id === undefined ? undefined : byId.get(id)
    return node === undefined ? [] : [node.callFrame, ...framesOf(parents.get(node.id))]
  }
  return [...spent].map(([id, microseconds]) => ({ frames: framesOf(id), microseconds }))
}
