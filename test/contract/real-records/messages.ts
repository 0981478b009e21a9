/** Canonical messages of the time series, as the converters create them. */

export type StationReference = { readonly type: string; readonly code: string }

export type Station = {
  readonly code: string
  readonly name?: string
  readonly coordinate?: readonly number[] | null
  readonly srid?: number
  readonly active?: boolean
  readonly available?: boolean
  readonly parent?: StationReference | null
  readonly metadata?: object | null
}

export type DataType = {
  readonly name: string
  readonly unit?: string | null
  readonly type?: string | null
  readonly description?: string | null
  readonly metadata?: object | null
}

export type Value = number | string | object

/** Station code, data type, ISO time, value. */
export type Measurement = readonly [string, string, string, Value]

export type Provenance = {
  readonly name: string
  readonly version: string
  readonly lineage: string
}

export type Edge = {
  readonly code: string
  readonly name?: string
  readonly from?: StationReference
  readonly to?: StationReference
  readonly directed?: boolean
  readonly geometry?: object
  readonly active?: boolean
}

export type Event = {
  readonly uuid: string
  readonly [member: string]: unknown
}

export type Message =
  | {
      readonly kind: 'stations'
      readonly stationType: string
      readonly origin?: string | null
      readonly items: readonly Station[]
    }
  | { readonly kind: 'dataTypes'; readonly items: readonly DataType[] }
  | {
      readonly kind: 'measurements'
      readonly stationType: string
      readonly period: number
      readonly provenance?: Provenance | null
      readonly items: readonly Measurement[]
    }
  | {
      readonly kind: 'edges'
      readonly edgeType: string
      readonly origin: string
      readonly items: readonly Edge[]
    }
  | {
      readonly kind: 'events'
      readonly origin: string
      readonly closed?: boolean
      readonly provenance?: Provenance
      readonly items: readonly Event[]
    }

export type OfKind<Kind extends Message['kind']> = Extract<Message, { readonly kind: Kind }>

/** Returns the messages of one kind. */
export function ofKind<Kind extends Message['kind']>(
  messages: readonly Message[],
  kind: Kind,
): readonly OfKind<Kind>[] {
  const isOfKind = (message: Message): message is OfKind<Kind> => message.kind === kind
  return messages.filter(isOfKind)
}

/** Number of items in a file, by kind. */
export type Counts = Readonly<Partial<Record<Message['kind'], number>>>

/**
 * A file of real data below `data/timeseries`, the converter from its text to messages, and the
 * expected counts.
 */
export type TimeseriesFile = readonly [
  file: string,
  convert: (text: string) => readonly Message[],
  counts: Counts,
]
