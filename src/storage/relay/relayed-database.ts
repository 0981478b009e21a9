import type { Sql } from '../../sql/index.ts'
import type { Database, Queryable, Row, TextRow, Transaction } from '../database.ts'
import { databaseUnreachable } from '../pg-errors.ts'
import { fromSent } from './protocol.ts'
import type { Port, Reply, Request } from './protocol.ts'

/** Leaves out what `ask` adds. */
type Wish = Request extends infer Kind ? (Kind extends Request ? Omit<Kind, 'id'> : never) : never

/**
 * The database of another thread or process, for an engine that takes one connection only. The other end is
 * `serveDatabase`. Lists are written as texts here, so that the other thread only passes them on.
 */
export function relayedDatabase(port: Port<Reply, Request>, engine: Database['engine']): Database {
  const ask = asking(port)
  const write = queryableOn(ask, undefined)
  return {
    engine,
    ...write,
    read: write,
    heavy: () => write,
    transaction: async (work, limits) => {
      const tx = Number(await ask({ kind: 'begin', limits }))
      const transaction: Transaction = { kind: 'transaction', ...queryableOn(ask, tx) }
      let result
      try {
        result = await work(transaction)
      } catch (error) {
        await ask({ kind: 'rollback', tx }).catch(() => undefined)
        throw error
      }
      await ask({ kind: 'commit', tx })
      return result
    },
    ping: async () => {
      await ask({ kind: 'ping' })
    },
    close: () => Promise.resolve(),
  }
}

type Ask = (wish: Wish) => Promise<unknown>

type Waiting = {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

function asking(port: Port<Reply, Request>): Ask {
  const waiting = new Map<number, Waiting>()
  let last = 0
  port.on((reply) => {
    const asked = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (reply.kind === 'done') asked?.resolve(reply.value)
    else asked?.reject(fromSent(reply.error))
  })
  port.onClose(() => {
    const gone = databaseUnreachable(new Error('The hub that has the database ended'))
    for (const { reject } of waiting.values()) reject(gone)
    waiting.clear()
  })
  return (wish) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++last
    waiting.set(id, { resolve, reject })
    port.postMessage({ ...wish, id })
    return promise
  }
}

function queryableOn(ask: Ask, tx: number | undefined): Queryable {
  const run = (kind: 'query' | 'texts' | 'execute', { parts, values }: Sql) =>
    ask({ kind, tx, parts, values: values.map(toText) })
  return {
    query: async <Shape extends Row>(statement: Sql) => {
      const rows: readonly Shape[] = toRows(await run('query', statement))
      return rows
    },
    texts: async (statement) => {
      const rows: readonly TextRow[] = toRows(await run('texts', statement))
      return rows
    },
    execute: async (statement) => Number(await run('execute', statement)),
  }
}

/** Lists of texts and numbers as the driver would write them; everything else as it is. */
function toText(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const list: readonly unknown[] = value
  const elements = list.map(toElement)
  return elements.includes(undefined) ? value : `{${elements.join(',')}}`
}

/** An element of an array literal (documentation of PostgreSQL, section 8.15.2). */
function toElement(element: unknown): string | undefined {
  if (element === null) return 'null'
  if (typeof element === 'string') return `"${element.replace(/["\\]/g, '\\$&')}"`
  return typeof element === 'number' ? String(element) : undefined
}

/** The caller vouches for the shape of rows, as with every `Database`. Bytes lost their class. */
function toRows<Shape>(value: unknown): readonly Shape[] {
  const rows: readonly Shape[] = Array.isArray(value) ? value : []
  return rows
}
