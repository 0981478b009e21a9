import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toCsv } from '../../http/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { loadBlock, rowsOf } from './load-values.ts'
import type { Block, Values } from './load-values.ts'

/** How an answer is written: what stands around the rows, and the text of a chunk of them. */
type Writer = {
  readonly begin: string
  readonly end: string
  /** @param isFirst whether nothing was written between `begin` and this */
  readonly chunk: (chunk: string, isFirst: boolean) => string
}

/** What stands before and behind the array of rows. */
export type Frame = { readonly begin: string; readonly end: string }

/** Rows as the database wrote them. */
export const jsonWriter = ({ begin, end }: Frame): Writer => ({
  begin: `${begin}[`,
  end: `]${end}`,
  chunk: (chunk, isFirst) => `${isFirst ? '' : ','}${chunk.slice(1, -1)}`,
})

export const csvWriter = (values: Pick<Values, 'columns' | 'asArray'>): Writer => ({
  begin: toCsv([values.columns.map(({ path }) => path.text)]),
  end: '',
  chunk: (chunk) => toCsv(rowsOf(values, chunk)),
})

type Written = { readonly values: Values; readonly first: Block; readonly writer: Writer }

/**
 * A short answer as a text, a longer one as a stream: chunks are written in turns, and blocks read as the
 * client takes them, so memory stays flat, no connection is held and nobody else waits (decision D9).
 */
export function writeValues(database: Queryable, written: Written): string | Readable {
  const { first, writer } = written
  if (first.next !== undefined || first.chunks.length > 1) {
    return Readable.from(textsOf(database, written), { objectMode: false, encoding: 'utf8' })
  }
  const chunks = first.chunks.map((chunk) => writer.chunk(chunk, true))
  return `${writer.begin}${chunks.join('')}${writer.end}`
}

async function* textsOf(database: Queryable, { values, first, writer }: Written) {
  yield writer.begin
  let isFirst = true
  for await (const chunk of chunksOf(database, values, first)) {
    yield writer.chunk(chunk, isFirst)
    isFirst = false
    await nextTurn()
  }
  yield writer.end
}

async function* chunksOf(database: Queryable, values: Values, first: Block) {
  let block: Block | undefined = first
  while (block !== undefined) {
    yield* block.chunks
    const { next }: Block = block
    block = next === undefined ? undefined : await loadBlock(database, values, { after: next })
  }
}
