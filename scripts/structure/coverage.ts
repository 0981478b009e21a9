import { Session } from 'node:inspector'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'

/** Sends one command to an isolate of V8, and resolves with its result. */
type Send = (method: string, params?: object) => Promise<unknown>

const coverage = Type.Object({
  result: Type.Array(
    Type.Object({
      url: Type.String(),
      functions: Type.Array(
        Type.Object({
          functionName: Type.String(),
          ranges: Type.Array(Type.Object({ startOffset: Type.Integer(), count: Type.Integer() })),
        }),
      ),
    }),
  ),
})

/**
 * Watches which files of `src` this process and its threads run. Child processes are not included.
 */
export type CoverageWatch = {
  /**
   * Returns the files in which a function ran since the last call. Loading a file does not count.
   */
  readonly take: () => Promise<ReadonlySet<string>>
}

/** Starts watching this process and its threads, including threads that start later. */
export async function watchCoverage(): Promise<CoverageWatch> {
  const session = new Session()
  session.connect()
  const main: Send = (method, params) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    session.post(method, params, (error, result) => {
      if (error === null) resolve(result)
      else reject(error)
    })
    return promise
  }
  const isolates = new Set([main])
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    const thread = sendToThread(session, sessionId)
    isolates.add(thread)
    void start(thread)
  })
  await main('NodeWorker.enable', { waitForDebuggerOnStart: false })
  await start(main)
  return {
    take: async () => {
      const taken = await Promise.all([...isolates].map(takeFrom))
      return new Set(taken.flat())
    },
  }
}

async function start(send: Send): Promise<void> {
  await send('Profiler.enable')
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
}

/**
 * Returns the files in which a function ran, and resets V8's counts. The first function of a file
 * is its top level.
 */
async function takeFrom(send: Send): Promise<readonly string[]> {
  const { result } = Parse(coverage, await send('Profiler.takePreciseCoverage'))
  return result
    .filter(({ url }) => /\/src\/.*\.ts$/.test(url))
    .filter(({ functions }) => functions.some(ran))
    .map(({ url }) => url.slice(url.indexOf('/src/') + 1))
}

function ran({ functionName, ranges: [range] }: Static): boolean {
  const isTopLevel = functionName === '' && range?.startOffset === 0
  return !isTopLevel && (range?.count ?? 0) > 0
}

type Static = { functionName: string; ranges: { startOffset: number; count: number }[] }

function sendToThread(session: Session, sessionId: string): Send {
  const waiting = new Map<number, (result: unknown) => void>()
  let last = 0
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    if (params.sessionId !== sessionId) return
    const reply = Parse(threadReply, JSON.parse(params.message))
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply.result)
  })
  return (method, params = {}) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const id = ++last
    waiting.set(id, resolve)
    const message = JSON.stringify({ id, method, params })
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message })
    return promise
  }
}

const threadReply = Type.Object({
  id: Type.Optional(Type.Integer()),
  result: Type.Optional(Type.Unknown()),
})
