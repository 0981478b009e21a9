import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { itemAddress } from '../addresses.ts'
import type { Maker } from '../datasets/index.ts'
import type { Entity } from '../entity.ts'
import type { LoadedRecord } from '../formats/index.ts'
import { loadChunk } from '../list/load-everything.ts'
import { rewriteRecords } from '../list/rewrite.ts'
import type { ReadDeps } from '../read-deps.ts'
import { parseChunk } from './load-found.ts'
import type { Branch, FindPlan } from './plan.ts'
import { toItem } from './to-item.ts'
import type { Shown } from './to-item.ts'

/** What is made when records of an entity are read. */
export type Made = ReadonlyMap<Entity, NonNullable<Awaited<ReturnType<Maker>>>>

type Deps = Pick<ReadDeps, 'database' | 'publicUrl'> & { readonly made: Made }

export type Written = {
  readonly plan: FindPlan
  readonly chunks: readonly string[]
  readonly shown: Shown
  /** The envelope without its items: the text of a JSON object. */
  readonly envelope: string
}

/** So many records are read before anything is sent; a longer page is a stream. */
const mostAtOnce = 1000

/** The page as a text, or as a stream of short statements that holds no connection (decision D9). */
export async function writeFound(deps: Deps, written: Written): Promise<string | Readable> {
  const texts = textsOf(deps, written)
  if (written.plan.pageSize > mostAtOnce) {
    return Readable.from(texts, { objectMode: false, encoding: 'utf8' })
  }
  let body = ''
  for await (const text of texts) body += text
  return body
}

async function* textsOf(deps: Deps, { plan, chunks, shown, envelope }: Written) {
  yield `${envelope.slice(0, -1)},"Items":[`
  let isFirst = true
  for (const chunk of chunks) {
    const items = await itemsOf(deps, { plan, chunk, shown })
    if (items.length === 0) continue
    const text = JSON.stringify(items).slice(1, -1)
    yield isFirst ? text : `,${text}`
    isFirst = false
    await nextTurn()
  }
  yield ']}'
}

type Part = { readonly plan: FindPlan; readonly chunk: string; readonly shown: Shown }

/** The items of a chunk. What was deleted or closed since it was found is not shown. */
async function itemsOf(deps: Deps, { plan, chunk, shown }: Part): Promise<readonly unknown[]> {
  const found = parseChunk(chunk)
  const items = new Map<string, unknown>()
  for (const place of new Set(found.map(([one]) => one))) {
    const branch = plan.branches[place]
    if (branch === undefined) continue
    const ids = found.flatMap(([one, id]) => (one === place ? [id] : []))
    const { entity } = branch.list
    for (const record of await loadRecords(deps, branch, ids)) {
      const self = itemAddress(deps.publicUrl, entity, record.id)
      items.set(`${String(place)} ${record.id}`, toItem(record, { entity, self, shown }))
    }
  }
  return found.flatMap(([place, id]) => items.get(`${String(place)} ${id}`) ?? [])
}

async function loadRecords(
  { database, made }: Deps,
  { list }: Branch,
  ids: readonly string[],
): Promise<readonly LoadedRecord[]> {
  const records = await loadChunk(database, list, JSON.stringify(ids))
  const rewrite = made.get(list.entity)?.rewrite
  return rewrite === undefined ? records : rewriteRecords([rewrite], records)
}
