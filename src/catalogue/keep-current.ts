import { LRUCache } from 'lru-cache'
import { anonymous } from '../access/index.ts'
import type { Every, Principal, Visibility } from '../access/index.ts'
import type { Entity, Profile } from '../content/index.ts'
import type { Queryable } from '../storage/index.ts'
import { buildCatalogue } from './build.ts'
import type { Built } from './build.ts'
import { numbering } from './dataset.ts'
import { factReader } from './facts.ts'

export type CatalogueDeps = {
  readonly database: Queryable
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  /** What the hub is called (HUB_TITLE). */
  readonly title: string
  readonly profile?: Profile
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly now: () => Date
  /** Told when a catalogue could not be renewed; the last one stays for a while. */
  readonly onError: (error: unknown) => void
}

/** The catalogues in memory: one for each kind of rights that callers have. */
export type KeptCatalogue = {
  /** What a caller may see. Who requests it first, for rights that nobody had before, waits for it. */
  readonly of: (principal: Principal) => Promise<Built>
  /** Makes those anew that were requested lately, and that of callers without a token. */
  readonly renew: () => Promise<void>
}

/** A catalogue is looked after so often, in ms, also while nobody asks. */
const lookedAfter = 60_000
/** After so many ms nobody requests it any more. */
const longestIdle = 600_000
/** Kinds of rights that are kept at once. */
const mostKinds = 30

type Kept = {
  readonly principal: Principal
  readonly visibility: Visibility
  readonly built: Renewed<Built>
  asked: number
}

export function keepCatalogue(deps: CatalogueDeps): KeptCatalogue {
  const { visibilityOf, now, onError } = deps
  const time = () => now().getTime()
  const build = builder(deps)
  const kept = new LRUCache<string, Kept>({ max: mostKinds })
  const numbers = numbering()
  const find = (principal: Principal): Kept => {
    const visibility = visibilityOf(principal)
    const key = `${String(numbers(visibility))} ${principal.kind}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const built = keepRenewed({ make: () => build(principal), now, onError })
    const made = { principal, visibility, built, asked: time() }
    kept.set(key, made)
    return made
  }
  return {
    of: (principal) => {
      const found = find(principal)
      found.asked = time()
      return found.built.get()
    },
    renew: async () => {
      find(anonymous)
      for (const [key, { principal, visibility, built, asked }] of kept.entries()) {
        const isIdle = principal.kind === 'verified' && time() - asked > longestIdle
        // A rule that changed gives the same caller other rights, which have a catalogue of their own.
        if (isIdle || visibilityOf(principal) !== visibility) kept.delete(key)
        else await built.renew()
      }
    },
  }
}

/** Makes catalogues; what is open is read once for all of them. */
function builder(deps: CatalogueDeps): (principal: Principal) => Promise<Built> {
  const { visibilityOf, now, entities, publicUrl, title, profile = 'strict' } = deps
  const facts = factReader(deps)
  const open = shareLoads({ age: shortestAge / 2, now, load: facts.open })
  return async (principal) => {
    const hasToken = principal.kind === 'verified'
    const given = { publicUrl, title, entities, profile, hasToken }
    const [visibility, anyone] = [visibilityOf(principal), visibilityOf(anonymous)]
    const shared = await open()
    const guest = await facts.closed(anyone)
    const closed = visibility === anyone ? guest : await facts.closed(visibility)
    return buildCatalogue({ ...given, open: shared, closed, guest }, now())
  }
}

/** Renews the catalogues now and every minute. @returns ends it */
export function renewRegularly(
  catalogue: KeptCatalogue,
  { every, onError }: Pick<CatalogueDeps, 'onError'> & { readonly every: Every },
): () => void {
  let isUnderWay = false
  const run = async () => {
    if (isUnderWay) return
    isUnderWay = true
    await catalogue.renew().catch(onError)
    isUnderWay = false
  }
  void run()
  return every(lookedAfter, () => void run())
}

/** A value in memory that is made anew while it is requested. */
type Renewed<Value> = {
  /** The last value where it is new enough or the next one takes long; otherwise the next one. */
  readonly get: () => Promise<Value>
  /** Makes the next one where it is time to. @throws what went wrong with the first one */
  readonly renew: () => Promise<void>
}

type Renewing<Value> = {
  readonly make: () => Promise<Value>
  readonly now: () => Date
  /** Told when the next one could not be made while the last one is answered. */
  readonly onError: (error: unknown) => void
}

/** How old a value that is asked for gets, in ms. */
const shortestAge = 5_000
/** Where making one takes long, it takes no larger share of the time than one in so many. */
const share = 20
/** What is made within so many ms is waited for; otherwise the last one is answered meanwhile. */
const shortWait = 150
/** Once making one has gone wrong for so many ms, the last one is no longer answered. */
const longestFailing = 600_000

type Last<Value> = { readonly value: Value; readonly took: number }

/** Keeps a value current. One is made at a time: whoever asks meanwhile shares it. */
export function keepRenewed<Value>({ make, now, onError }: Renewing<Value>): Renewed<Value> {
  let last: Last<Value> | undefined
  let underWay: Promise<Value> | undefined
  let failingSince: number | undefined
  let rest = { since: 0, wait: 0 }
  const time = () => now().getTime()
  const makeNext = async () => {
    const began = time()
    try {
      const value = await make()
      last = { value, took: Math.max(0, time() - began) }
      failingSince = undefined
      return value
    } catch (error) {
      failingSince ??= time()
      if (last !== undefined) onError(error)
      throw error
    } finally {
      rest = { since: began, wait: Math.max(shortestAge, share * (time() - began)) }
      underWay = undefined
    }
  }
  const next = () => (underWay ??= makeNext())
  const isDue = () => Math.abs(time() - rest.since) >= rest.wait
  const isFailing = () => failingSince !== undefined && time() - failingSince >= longestFailing
  return {
    get: async () => {
      if (last === undefined || isFailing()) return next()
      const { value, took } = last
      if (!isDue()) return value
      const following = next().catch(() => value)
      return took <= shortWait ? following : value
    },
    renew: async () => {
      if (last === undefined) await next()
      // What goes wrong has been told.
      else if (isDue()) await next().catch(() => undefined)
    },
  }
}

type Loading<Value> = {
  /** For how long a result is answered after it was loaded, in ms. */
  readonly age: number
  readonly now: () => Date
  readonly load: () => Promise<Value>
}

/** One load for all who ask while it is under way, or shortly after. A failure is not kept. */
export function shareLoads<Value>({ age, now, load }: Loading<Value>): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; until: number } | undefined
  const time = () => now().getTime()
  return () => {
    // A clock that was put back must not keep a result for longer.
    const isKept = kept !== undefined && time() < kept.until && kept.until - time() <= age
    const isPending = kept?.until === Infinity
    if (kept !== undefined && (isKept || isPending)) return kept.value
    const made = { value: load(), until: Infinity }
    kept = made
    made.value.then(
      () => (made.until = time() + age),
      () => (made.until = 0),
    )
    return made.value
  }
}
