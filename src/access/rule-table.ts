import type { Problem } from '../observe/index.ts'
import type { Queryable } from '../storage/database.ts'
import type { Principal } from './principal.ts'
import { loadAccessData, loadVersion } from './rules.ts'
import type { AccessData, PushGrant } from './rules.ts'
import { visibilityUnder } from './visibility.ts'
import type { Visibility } from './visibility.ts'

/** Runs `work` again and again; the returned function ends that. */
export type Every = (milliseconds: number, work: () => void) => () => void

type Deps = {
  readonly database: Queryable
  readonly every: Every
  /** Told when the rules could not be read again; the last ones stay in force for a minute. */
  readonly onError: (error: unknown) => void
}

/** The rules and grants in memory, at most `REFRESH` behind the database. */
export type RuleTable = {
  /** Reads the rules and keeps them fresh from then on. Until then nothing closed is visible. */
  readonly start: () => Promise<void>
  readonly stop: () => void
  /** That they could not be read for a minute; nothing otherwise. */
  readonly problems: () => readonly Problem[]
  /** Reads the rules again if they changed, now. */
  readonly refresh: () => Promise<void>
  readonly visibility: (principal: Principal) => Visibility
  readonly grants: () => readonly PushGrant[]
}

/** A change is in force on every node within 5 s; the rest is for the query itself. */
const REFRESH = 3_000

/**
 * So many times in a row, a minute, they may not be read. Then they are in force no longer: nothing closed is visible
 * by a rule, and nobody may push by a grant, since either may have been taken back.
 */
const MOST_UNREAD = 20

const unreadRules: Problem = {
  component: 'access',
  detail:
    'The access rules could not be read for a minute. Until they are, nothing closed is visible by a rule, and nobody may push by a grant.',
}

export function ruleTable({ database, every, onError }: Deps): RuleTable {
  let data: AccessData = { version: '', rules: [], grants: [] }
  let seen = visibilityUnder(data.rules)
  let pending: Promise<void> | undefined
  let end: (() => void) | undefined
  let unread = 0
  const nothing = visibilityUnder([])
  const areCurrent = () => unread < MOST_UNREAD

  const read = async () => {
    if (data.version === '' || (await loadVersion(database)) !== data.version) {
      data = await loadAccessData(database)
      seen = visibilityUnder(data.rules)
    }
    unread = 0
  }
  const refresh = () => {
    pending ??= read().finally(() => {
      pending = undefined
    })
    return pending
  }

  return {
    refresh,
    start: async () => {
      await refresh()
      end = every(REFRESH, () => {
        unread += 1
        void refresh().catch(onError)
      })
    },
    stop: () => end?.(),
    problems: () => (areCurrent() ? [] : [unreadRules]),
    visibility: (principal) => (areCurrent() ? seen : nothing)(principal),
    grants: () => (areCurrent() ? data.grants : []),
  }
}
