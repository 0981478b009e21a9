import { Command } from 'commander'
import { makeBackup, readBackup } from '../backup/index.ts'
import type { Manifest } from '../backup/index.ts'
import { backupPlace, openForBackup, placeOf, restoreStore } from '../compose/index.ts'
import { prepare } from './context.ts'
import type { MakeCommand } from './context.ts'

const placeHelp = 'a folder, or the URL of a bucket with a prefix'

const storeHelp =
  '\n\nFor an S3-compatible store the URL is such as https://s3.example.org/bucket/2026-11-26; the access is' +
  '\nthat of the exports: HUB_EXPORT_S3_KEY_ID, HUB_EXPORT_S3_SECRET and HUB_EXPORT_S3_REGION.'

export const backupCommand: MakeCommand = (context) =>
  new Command('backup')
    .argument('<place>', `${placeHelp}; nothing may be there yet`)
    .addHelpText(
      'after',
      `\nThe hub runs meanwhile. The backup has everything as it is at one moment: data, accounts, keys.\nKeep it as safe as the database.${storeHelp}`,
    )
    .action(async (named: string) => {
      const { config, environment } = prepare(context, 'quiet')
      const place = backupPlace(config, environment, named)
      const { database, close } = await openForBackup(config, environment)
      try {
        const { version, now } = context
        const made = await makeBackup({ database, place, version, now: now() })
        context.print(`Backed up ${placeOf(config)}: ${describe(made)}.`)
      } finally {
        await close()
        await place.end()
      }
    })

type RestoreOptions = { readonly check?: true }

export const restoreCommand: MakeCommand = (context) =>
  new Command('restore')
    .argument('<place>', placeHelp)
    .option('--check', 'only check that the backup is complete and unchanged')
    .addHelpText(
      'after',
      `\nThe database must be empty: PostgreSQL (DATABASE_URL) without a hub, or a new HUB_DATA_DIR.\nA backup of either engine is restored into either.${storeHelp}`,
    )
    .action(async (named: string, { check }: RestoreOptions) => {
      const { config, environment } = prepare(context, 'quiet')
      const place = backupPlace(config, environment, named)
      try {
        const backup = await readBackup(await place.load())
        const described = `${describe(backup.manifest)}, made ${backup.manifest.created}`
        if (check === true) {
          context.print(`The backup is complete: ${described}.`)
          return
        }
        await restoreStore(config, environment, backup)
        context.print(`Restored ${placeOf(config)}: ${described}.`)
      } finally {
        await place.end()
      }
    })

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

function describe({ tables, version }: Manifest): string {
  const sum = (of: 'rows' | 'bytes') => tables.reduce((all, table) => all + table[of], 0)
  const size = numbers.format(sum('bytes') / 1_000_000)
  return `${String(tables.length)} tables, ${numbers.format(sum('rows'))} rows, ${size} MB, version ${version}`
}
