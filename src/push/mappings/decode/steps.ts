import { Type } from 'typebox'
import type { Static } from 'typebox'
import { MemberPath } from './at-path.ts'
import { charset } from './charset.ts'
import { CsvDialect } from './csv-dialect.ts'
import { FixedWidth } from './fixed-width.ts'
import { Packet } from './packet.ts'
import { XmlOptions } from './xml.ts'

const closed = { additionalProperties: false }

const Text = Type.Object({ charset: Type.Optional(charset) }, closed)

/** A step with the options it has when nothing is said. */
export const BareStep = Type.Enum([
  'json',
  'ndjson',
  'csv',
  'xml',
  'xml-rpc',
  'gzip',
  'base64',
  'hex',
  'text',
])
export type BareStep = Static<typeof BareStep>

/** Options of the steps that decode all of what the step before them gives. */
const plainOptions = {
  json: Text,
  ndjson: Text,
  csv: CsvDialect,
  xml: XmlOptions,
  'xml-rpc': Text,
  text: Text,
  'fixed-width': FixedWidth,
  packet: Packet,
}

const PlainStep = Type.Union([
  BareStep,
  Type.Object({ json: plainOptions.json }, closed),
  Type.Object({ ndjson: plainOptions.ndjson }, closed),
  Type.Object({ csv: plainOptions.csv }, closed),
  Type.Object({ xml: plainOptions.xml }, closed),
  Type.Object({ 'xml-rpc': plainOptions['xml-rpc'] }, closed),
  Type.Object({ text: plainOptions.text }, closed),
  Type.Object({ 'fixed-width': plainOptions['fixed-width'] }, closed),
  Type.Object({ packet: plainOptions.packet }, closed),
])
export type PlainStep = Static<typeof PlainStep>

const mostInside = 8

const zipFiles = Type.Record(Type.String(), Type.Array(PlainStep, { maxItems: mostInside }), {
  description: 'Files of the archive by name, each with the steps that decode it',
})

const stepsInside = Type.Array(PlainStep, { minItems: 1, maxItems: mostInside })

/** One step of the way from the bytes of a payload to a JSON value. */
export const DecodeStep = Type.Union([
  PlainStep,
  Type.Object({ zip: zipFiles }, closed),
  Type.Object({ at: MemberPath, steps: stepsInside }, closed),
  Type.Object({ 'json-text': MemberPath }, closed),
])
export type DecodeStep = Static<typeof DecodeStep>

/** What stands under the name of each step, for faults that say which of them is meant. */
export const stepOptions = { ...plainOptions, zip: zipFiles, 'json-text': MemberPath }
