import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import { parse } from 'yaml'
import { isRecordType } from './datex/index.ts'
import type { RecordType } from './datex/index.ts'

export const severities = ['none', 'unknown', 'lowest', 'low', 'medium', 'high', 'highest'] as const

export type Severity = (typeof severities)[number]

const members = Type.Record(Type.String(), Type.Unknown())

const finer = Type.Object(
  {
    member: Type.Array(Type.String(), { minItems: 1 }),
    is: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    number: Type.Optional(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
    type: Type.Optional(Type.String()),
    members,
  },
  { additionalProperties: false },
)

const kind = Type.Object(
  {
    type: Type.String(),
    severity: Type.Union(severities.map((severity) => Type.Literal(severity))),
    shortLived: Type.Optional(Type.Boolean()),
    members,
    finer: Type.Optional(Type.Array(finer)),
  },
  { additionalProperties: false },
)

const table = Type.Object({ unexplained: kind, kinds: Type.Record(Type.String(), kind) })

/** What metadata may say besides, and how it is said then. */
export type Finer = Omit<Static<typeof finer>, 'type' | 'members'> & {
  readonly type: RecordType | undefined
  readonly members: Readonly<Record<string, unknown>>
}

/** How a kind of traffic event is said in DATEX II. */
export type Kind = {
  readonly type: RecordType
  /** Members of the record, by their names in the schema. */
  readonly members: Readonly<Record<string, unknown>>
  readonly severity: Severity
  /** Without an end, such an event leaves the feed after 24 hours (decision D55). */
  readonly shortLived: boolean
  readonly finer: readonly Finer[]
}

const file = new URL('event-kinds.yaml', import.meta.url)
const written = Parse(table, parse(readFileSync(file, 'utf8'), { merge: true, maxAliasCount: -1 }))

/** Tag or category → kind, in `event-kinds.yaml`; the first twelve are those of the public system. */
export const tagTypes: ReadonlyMap<string, Kind> = new Map(
  Object.entries(written.kinds).map(([tag, entry]) => [tag, toKind(entry)]),
)

/** For events that no tag explains: every situation is in the feed (decision D55). */
export const unexplained = toKind(written.unexplained)

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

function toRecordType(name: string): RecordType {
  if (isRecordType(name)) return name
  throw new TypeError(`event-kinds.yaml: ${name} is not a situation record type.`)
}
