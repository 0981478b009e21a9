import { setTimeout as pause } from 'node:timers/promises'
import { joinRunning } from '../async/index.ts'

/** How long an answer of the database counts, in ms: under load it is queried fifty times a second. */
const fresh = 20
/** The age at which the next answer is requested, in ms: under load it is there before this one is old. */
const ageing = 15
/** How long the last version serves while the database does not answer, in ms. */
const bearable = 4000
/** How long callers wait for the database when there is something to serve without it, in ms. */
const patience = 1000

/**
 * The version of what documents are made from, requested by one question at a time. When the database is
 * busy or away, the last answer serves for four seconds more, so that documents bridge a restart of it
 * and yet none is older than five.
 */
export class Versions {
  readonly #load: () => Promise<string>
  readonly #ticks: () => number
  /** The last answer, and when its question was put. */
  #known: { readonly version: string; readonly asked: number } | undefined

  constructor(load: () => Promise<string>, ticks: () => number) {
    this.#load = load
    this.#ticks = ticks
  }

  /** The version when it is known to be current. */
  fresh(): string | undefined {
    const version = this.#youngerThan(fresh)
    if (version !== undefined && this.#youngerThan(ageing) === undefined) {
      // A caller that comes once the version is too old gets the failure.
      this.#begin().catch(() => undefined)
    }
    return version
  }

  /**
   * Queries the database, or joins the query in progress.
   * @throws what the database threw, when the last version is too old to serve
   */
  async ask(): Promise<string> {
    const question = this.#begin()
    if (this.#youngerThan(bearable) === undefined) return await question
    const answer = await Promise.race([
      question.catch(() => undefined),
      pause(patience, undefined, { ref: false }),
    ])
    return answer ?? this.#youngerThan(bearable) ?? (await question)
  }

  readonly #begin = joinRunning(() => this.#put())

  async #put(): Promise<string> {
    const asked = this.#ticks()
    const version = await this.#load()
    this.#known = { version, asked }
    return version
  }

  #youngerThan(milliseconds: number): string | undefined {
    const known = this.#known
    if (known === undefined || this.#ticks() - known.asked >= milliseconds) return undefined
    return known.version
  }
}
