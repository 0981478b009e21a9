import { LRUCache } from 'lru-cache'
import { anonymous } from '../access/index.ts'
import type { Every, Principal, Visibility } from '../access/index.ts'
import type { Entity, Profile } from '../content/index.ts'
import type { Queryable } from '../storage/index.ts'
import { buildCatalogue } from './build.ts'
import type { Built } from './build.ts'
import { factReader } from './facts.ts'
import type { OpenFacts } from './facts.ts'

export type CatalogueDeps = {
  readonly database: Queryable
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  readonly profile?: Profile
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly now: () => Date
}

/** The catalogues in memory: one for each kind of rights that callers have. */
export type KeptCatalogue = {
  /** What a caller may see. Who asks for it first, for rights that nobody had before, waits for it. */
  readonly of: (principal: Principal) => Promise<Built>
  /** Makes those anew that were asked for lately, and that of callers without a token. */
  readonly renew: () => Promise<void>
}

/** How old a catalogue gets at most, in ms; also while nobody asks. */
const longestAge = 60_000
/** How old one gets that is asked for, in ms. */
const shortestAge = 5_000
/** Where making one takes long, it takes no larger share of the time than one in so many. */
const share = 20
/** What is made within so many ms is waited for; otherwise the last one is answered meanwhile. */
const shortWait = 150
/** After so many ms nobody asks for it any more. */
const longestIdle = 600_000
/** Kinds of rights that are kept at once. */
const mostKinds = 30

type Kept = {
  readonly principal: Principal
  readonly visibility: Visibility
  value: Promise<Built>
  made: number
  asked: number
  /** How long it took, in ms. */
  took: number
  renewal: Promise<Built> | undefined
}

export function keepCatalogue(deps: CatalogueDeps): KeptCatalogue {
  const { visibilityOf } = deps
  const time = () => deps.now().getTime()
  const build = builder(deps)
  const kept = new LRUCache<string, Kept>({ max: mostKinds })
  const numbers = numbering()
  const keyOf = (principal: Principal) =>
    `${String(numbers(visibilityOf(principal)))} ${principal.kind}`
  const make = (principal: Principal): Kept => {
    const key = keyOf(principal)
    const made = firstOf(principal, visibilityOf(principal), { build, time })
    kept.set(key, made)
    // Who asks next tries again, and is told what went wrong this time.
    made.value.catch(() => kept.delete(key))
    return made
  }
  return {
    of: async (principal) => {
      const found = kept.get(keyOf(principal)) ?? make(principal)
      found.asked = time()
      const age = Math.abs(time() - found.made)
      if (age < Math.min(longestAge, Math.max(shortestAge, share * found.took))) return found.value
      const renewal = renew(found, { build, time })
      if (found.took <= shortWait) return renewal
      // The last one is answered; whether the next one could be made shows when it is asked for.
      renewal.catch(() => undefined)
      return found.value
    },
    renew: async () => {
      if (!kept.has(keyOf(anonymous))) await make(anonymous).value
      for (const [key, one] of kept.entries()) {
        const isIdle = one.principal.kind === 'verified' && time() - one.asked > longestIdle
        // A rule that changed gives the same caller other rights, which have a catalogue of their own.
        if (isIdle || visibilityOf(one.principal) !== one.visibility) kept.delete(key)
        else await renew(one, { build, time })
      }
    },
  }
}

function firstOf(principal: Principal, visibility: Visibility, { build, time }: Renewing): Kept {
  const present = time()
  const at = { made: present, asked: present, took: 0, renewal: undefined }
  const value = build(principal).then((built) => {
    made.took = Math.max(0, time() - present)
    return built
  })
  const made: Kept = { principal, visibility, value, ...at }
  return made
}

/** Once at a time: who asks meanwhile waits for the same. */
function renew(one: Kept, renewing: Renewing): Promise<Built> {
  one.renewal ??= renewed(one, renewing).finally(() => {
    one.renewal = undefined
  })
  return one.renewal
}

type Renewing = {
  readonly build: (principal: Principal) => Promise<Built>
  readonly time: () => number
}

async function renewed(one: Kept, { build, time }: Renewing): Promise<Built> {
  const made = time()
  const value = await build(one.principal)
  one.made = made
  one.took = Math.max(0, time() - made)
  one.value = Promise.resolve(value)
  return value
}

/** Makes catalogues; what is open is read once for all of them. */
function builder(deps: CatalogueDeps): (principal: Principal) => Promise<Built> {
  const { visibilityOf, now, entities, publicUrl, profile = 'strict' } = deps
  const facts = factReader(deps)
  const open = sharedFor(shortestAge / 2, now, facts.open)
  return async (principal) => {
    const given = { publicUrl, entities, profile, hasToken: principal.kind === 'verified' }
    const [visibility, anyone] = [visibilityOf(principal), visibilityOf(anonymous)]
    const shared = await open()
    const guest = await facts.closed(anyone)
    const closed = visibility === anyone ? guest : await facts.closed(visibility)
    return buildCatalogue({ ...given, open: shared, closed, guest }, now())
  }
}

/** Numbers objects in the order in which they are met; who forgets them is not kept from doing so. */
function numbering(): (thing: object) => number {
  const known = new WeakMap<object, number>()
  let last = 0
  return (thing) => {
    const number = known.get(thing) ?? (last += 1)
    known.set(thing, number)
    return number
  }
}

/** The last result until it is so old; those who ask meanwhile share one. A failure is not kept. */
function sharedFor(
  age: number,
  now: () => Date,
  load: () => Promise<OpenFacts>,
): () => Promise<OpenFacts> {
  let kept: { readonly since: number; readonly value: Promise<OpenFacts> } | undefined
  return () => {
    const present = now().getTime()
    if (kept === undefined || Math.abs(present - kept.since) >= age) {
      const value = load()
      const made = { since: present, value }
      kept = made
      value.catch(() => {
        if (kept === made) kept = undefined
      })
    }
    return kept.value
  }
}

/** Renews the catalogues now and every minute. @returns ends it */
export function renewRegularly(
  catalogue: KeptCatalogue,
  { every, onError }: { readonly every: Every; readonly onError: (error: unknown) => void },
): () => void {
  let isUnderWay = false
  const run = async () => {
    if (isUnderWay) return
    isUnderWay = true
    await catalogue.renew().catch(onError)
    isUnderWay = false
  }
  void run()
  return every(longestAge, () => void run())
}
