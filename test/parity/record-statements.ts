import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import pg from 'pg'
import { inject } from 'vitest'

// A setup file of vitest: records each distinct statement that the tests send to PostgreSQL, with
// the first values that it had, for replay.test.ts.

const noted = new Set<string>()
const send: unknown = Reflect.get(pg.Client.prototype, 'query')
const folder = join(inject('scratch'), 'statements')
const file = join(folder, String(process.pid))

type Query = { readonly text: string; readonly values: readonly unknown[] }

/** Excludes COPY, which has no values and does not exist on the embedded engine. */
function isQuery(value: unknown): value is Query {
  return (
    typeof value === 'object' &&
    value !== null &&
    'text' in value &&
    'values' in value &&
    Array.isArray(value.values)
  )
}

function note({ text, values }: Query): void {
  if (noted.has(text)) return
  noted.add(text)
  mkdirSync(folder, { recursive: true })
  appendFileSync(file, `${serialize([text, values]).toString('base64')}\n`)
}

/** Name of the embedded engine's only database. */
const embedded = 'postgres'

if (inject('postgresql') !== null && typeof send === 'function' && send.name !== 'recordingQuery') {
  Reflect.set(
    pg.Client.prototype,
    'query',
    function recordingQuery(this: pg.Client, ...args: readonly unknown[]) {
      const [query] = args
      if (this.database !== embedded && isQuery(query)) note(query)
      return Reflect.apply(send, this, args)
    },
  )
}
