import { LRUCache } from 'lru-cache'
import { anonymous } from '../access/index.ts'
import type { Every, Principal, Visibility } from '../access/index.ts'
import type { Entity, Profile } from '../content/index.ts'
import type { Queryable } from '../storage/index.ts'
import { buildCatalogue } from './build.ts'
import type { Built } from './build.ts'
import { factReader } from './facts.ts'
import { numbering } from './numbering.ts'
import { keepRenewed, shortestAge } from './keep-renewed.ts'
import type { Renewed } from './keep-renewed.ts'
import { shareLoads } from './share-loads.ts'

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
  /** What a caller may see. Who asks for it first, for rights that nobody had before, waits for it. */
  readonly of: (principal: Principal) => Promise<Built>
  /** Makes those anew that were asked for lately, and that of callers without a token. */
  readonly renew: () => Promise<void>
}

/** A catalogue is looked after so often, in ms, also while nobody asks. */
const lookedAfter = 60_000
/** After so many ms nobody asks for it any more. */
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
