import { Type } from 'typebox'
import type { Static } from 'typebox'
import { exactly } from '../lang/schemas.ts'
import { readYaml } from '../lang/read-yaml.ts'
import { severities, severityOf } from '../timeseries/index.ts'
import type { MobilityEvent, Severity } from '../timeseries/index.ts'
import { isRecord, isRecordType } from '../datex/index.ts'
import type { Note } from '../datex/index.ts'

const members = Type.Record(Type.String(), Type.Unknown())

const finer = exactly({
  member: Type.Array(Type.String(), { minItems: 1 }),
  is: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  number: Type.Optional(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
  type: Type.Optional(Type.String()),
  members,
})

const kind = exactly({
  type: Type.String(),
  severity: Type.Union(severities.map((severity) => Type.Literal(severity))),
  shortLived: Type.Optional(Type.Boolean()),
  members,
  finer: Type.Optional(Type.Array(finer)),
})

const table = Type.Object({ unexplained: kind, kinds: Type.Record(Type.String(), kind) })

/** A refinement by metadata, and how it is written in DATEX II. */
type Finer = Omit<Static<typeof finer>, 'type' | 'members'> & {
  readonly type: string | undefined
  readonly members: Readonly<Record<string, unknown>>
}

/** How a kind of traffic event is written in DATEX II. */
export type Kind = {
  readonly type: string
  /** Fields of the record by their names in the schema. */
  readonly members: Readonly<Record<string, unknown>>
  readonly severity: Severity
  /** Whether an event of this kind without an end leaves the feed after 24 hours (decision D55). */
  readonly shortLived: boolean
  readonly finer: readonly Finer[]
}

const written = readYaml(new URL('event-kinds.yaml', import.meta.url), table)

/**
 * Kinds by tag or category, from `event-kinds.yaml`. The first twelve are those of the public
 * system.
 */
export const tagTypes: ReadonlyMap<string, Kind> = new Map(
  Object.entries(written.kinds).map(([tag, entry]) => [tag, toKind(entry)]),
)

/**
 * The kind of events that no tag explains, because every situation is in the feed (decision D55).
 */
const unexplained = toKind(written.unexplained)

function toKind({
  type,
  shortLived = false,
  finer: rules = [],
  ...entry
}: Static<typeof kind>): Kind {
  return {
    ...entry,
    type: toRecordType(type),
    shortLived,
    finer: rules.map((rule) => ({
      ...rule,
      type: rule.type === undefined ? undefined : toRecordType(rule.type),
    })),
  }
}

function toRecordType(name: string): string {
  if (isRecordType(name)) return name
  throw new TypeError(`event-kinds.yaml: ${name} is not a situation record type.`)
}

/** Refines a kind by the metadata of an event. */
function refine(kindOfTag: Kind, metadata: Readonly<Record<string, unknown>>): Kind {
  let refined = kindOfTag
  for (const rule of kindOfTag.finer) {
    const value = findValue(rule, metadata, 3)
    if (value === undefined) continue
    const known = rule.type === undefined || rule.type === refined.type ? refined.members : {}
    const said = Object.entries(rule.members).map(
      ([name, member]) => [name, fill(member, value)] as const,
    )
    const merged = { ...known, ...Object.fromEntries(said) }
    refined = { ...refined, type: rule.type ?? refined.type, members: merged }
  }
  return refined
}

/** Returns the first matching value under one of the names, at most `depth` levels deep. */
function findValue(rule: Finer, value: unknown, depth: number): string | number | undefined {
  if (!isRecord(value)) return undefined
  for (const [name, member] of Object.entries(value)) {
    const isNamed = rule.member.some((wanted) => toWord(wanted) === toWord(name))
    const found = isNamed ? fitting(rule, member) : undefined
    if (found !== undefined) return found
    const below = depth > 0 ? findValue(rule, member, depth - 1) : undefined
    if (below !== undefined) return below
  }
  return undefined
}

function fitting({ is, number }: Finer, value: unknown): string | number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  if (is?.some((wanted) => toWord(wanted) === toWord(String(value)))) return value
  const [low = Number.NaN, high = Number.NaN] = number ?? []
  const amount = typeof value === 'number' ? value : Number.parseFloat(value.replace(',', '.'))
  return amount >= low && amount <= high ? amount : undefined
}

/** Normalizes a word: `Snow chains`, `snow-chains` and `snowChains` are the same. */
function toWord(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]/g, '')
}

function fill(member: unknown, value: string | number): unknown {
  if (member === '$value') return value
  if (!isRecord(member)) return member
  return Object.fromEntries(
    Object.entries(member).map(([name, below]) => [name, fill(below, value)]),
  )
}

/**
 * Determines the kind of record for an event. `datex.type` decides if the event has it; otherwise
 * the most severe, then most specific, mapped tag does (decision D55). Tags run from the general to
 * the specific, and the category counts as the most general one.
 */
export function classify(event: MobilityEvent, note: Note): Kind {
  const byTag = refine(kindOfTags(event), event.metadata)
  const severity = severityOf(event.severity) ?? byTag.severity
  const given = event.datex?.['type']
  if (given === undefined || given === byTag.type) return { ...byTag, severity }
  if (typeof given === 'string' && isRecordType(given)) {
    const shortLived = byTag === unexplained ? isPassing(given) : byTag.shortLived
    return { type: given, members: {}, severity, shortLived, finer: [] }
  }
  const shown = JSON.stringify(given).slice(0, 60)
  note(`datex.type: ${shown} is not a situation record type of DATEX II.`)
  return { ...byTag, severity }
}

function kindOfTags(event: MobilityEvent): Kind {
  const names = [event.category ?? '', ...event.tags].map(toKey)
  const kinds = names.flatMap((name) => tagTypes.get(name) ?? [])
  return kinds.reduce(
    (chosen, kind) => (rank(kind.severity) >= rank(chosen.severity) ? kind : chosen),
    unexplained,
  )
}

/** Normalizes a tag: `traffic-event:closure` and `closure` are the same. */
function toKey(tag: string): string {
  return tag
    .trim()
    .toLowerCase()
    .replace(/^traffic-event:/, '')
}

function rank(severity: Severity): number {
  return severities.indexOf(severity)
}

/** Reports whether a type is short-lived: every tag that leads to it must be. */
function isPassing(type: string): boolean {
  const kinds = [...tagTypes.values()].filter((kind) => kind.type === type)
  return kinds.length > 0 && kinds.every((kind) => kind.shortLived)
}
