import { openExisting, placeOf } from '../compose/index.ts'
import type { OpenStore } from '../compose/index.ts'
import type { Config } from '../config/index.ts'
import { sql } from '../sql/index.ts'
import type { Database, Transaction } from '../storage/index.ts'
import { actorOf, prepare } from './context.ts'
import type { Context } from './context.ts'

type Parts = { readonly database: Database; readonly config: Config; readonly now: Date }

/** Opens the hub that is there, and tells a person at a terminal which one that is. */
export async function openHub(context: Context): Promise<OpenStore & { readonly config: Config }> {
  const { config, surroundings } = prepare(context, 'quiet')
  const store = await openExisting(config, surroundings)
  if (context.progressTo.isTTY) context.complain(`On ${placeOf(config)}.`)
  return { ...store, config }
}

/** Runs `work` with the database of the hub, and lets go of it afterwards. */
export async function inStore<Result>(
  context: Context,
  work: (parts: Parts) => Promise<Result>,
): Promise<Result> {
  const { config, database, now } = await openHub(context)
  try {
    return await work({ database, config, now: now() })
  } finally {
    await database.close()
  }
}

type Change = { readonly tx: Transaction; readonly config: Config; readonly now: Date }

/**
 * Changes accounts in one transaction: all of it happens, or nothing. What is told comes after. The audit log names
 * who is logged in at the machine.
 */
export function change<Result>(
  context: Context,
  work: (change: Change) => Promise<Result>,
): Promise<Result> {
  return inStore(context, ({ database, config, now }) =>
    database.transaction(async (tx) => {
      await tx.query(sql`select set_config('hub.actor', ${actorOf(context)}, true)`)
      return work({ tx, config, now })
    }),
  )
}

/** Says that the hub does not ask its own accounts, where it trusts another provider. */
export function warnOfExternal(config: Config, context: Context): void {
  if (config.HUB_IDENTITY !== 'external') return
  context.complain(
    `Note: HUB_IDENTITY=external. Accounts and push permissions are kept by the provider at ${config.HUB_ISSUER ?? 'HUB_ISSUER'}; what is changed here has no effect until the hub issues the tokens itself.`,
  )
}
