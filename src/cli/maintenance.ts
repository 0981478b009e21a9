import { Command } from 'commander'
import { openStore } from '../compose/index.ts'
import { listAudit } from '../content/index.ts'
import type { AuditFilter } from '../content/index.ts'
import { inStore, prepare } from './context.ts'
import type { MakeCommand } from './context.ts'
import { parseCount, parseTime, printRows } from './terminal.ts'
import type { ListOptions } from './terminal.ts'

export const migrateCommand: MakeCommand = (context) =>
  new Command('migrate').action(async () => {
    const { config, environment } = prepare(context, 'quiet')
    const { database } = await openStore(config, environment)
    await database.close()
    context.print('The database is up to date.')
  })

type Options = AuditFilter & ListOptions & { readonly limit: number }

/** Reads the log of writes over HTTP and changes of access; nothing can change it (docs/content-writes.md). */
export const auditCommand: MakeCommand = (context) =>
  new Command('audit')
    .option('--dataset <name>', 'only this entity, such as Event')
    .option('--id <id>', 'only this record')
    .option('--by <name>', 'only this user, client or subject of a token')
    .option('--from <time>', 'at this time or later: 2026-11-20 or 2026-11-20T10:00Z', parseTime)
    .option('--to <time>', 'before this time', parseTime)
    .option('--limit <number>', 'maximum number of entries', parseCount, 50)
    .option('--json', 'print JSON')
    .action(({ json, limit, ...filter }: Options) =>
      inStore(context, async ({ database }) => {
        const entries = await listAudit(database, filter, limit)
        printRows(context, entries, json === true ? { json } : {})
      }),
    )
