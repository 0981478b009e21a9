import { Type } from 'typebox'
import type { Static, TObject, TProperties } from 'typebox'
import { Compile } from 'typebox/compile'
import { Errors } from 'typebox/value'
import { AppError, schemaIssues } from '../errors/index.ts'
import { findUnstorable, isObject } from '../lang/json.ts'
import { exactly } from '../lang/schemas.ts'
import type { Ask } from './ask-hub.ts'
import type { Result } from './result.ts'

/** Dependencies of a tool call. */
export type ToolContext = { readonly ask: Ask; readonly now: () => Date }

type Described<Fields extends TProperties> = {
  readonly name: string
  readonly title: string
  /** Purpose of the tool and when to use it, in plain words, for a model. */
  readonly description: string
  readonly fields: Fields
  readonly run: (given: Static<TObject<Fields>>, context: ToolContext) => Promise<Result>
}

/** A tool that assistants can call. */
export type Tool = {
  /** The entry of the tool in `tools/list`. */
  readonly listed: {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly inputSchema: { readonly type: 'object' } & Readonly<Record<string, unknown>>
    readonly annotations: typeof annotations
  }
  /**
   * Runs the tool.
   * @throws AppError if the arguments do not match the schema, or if the hub refuses a request
   */
  readonly run: (given: unknown, context: ToolContext) => Promise<Result>
}

/** Every tool is read-only, and none sends requests to other servers. */
const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

/** Builds a tool from one description: its schema, the validation of arguments, and its listing. */
export function defineTool<Fields extends TProperties>(described: Described<Fields>): Tool {
  const { name, title, description, fields, run } = described
  const schema = exactly(fields)
  const validator = Compile(schema)
  const properties = Object.fromEntries(Object.entries(schema.properties))
  const { required } = schema
  return {
    listed: {
      ...{ name, title, description, annotations },
      inputSchema: { type: 'object', properties, required, additionalProperties: false },
    },
    run: (sent, context) => {
      const given = withoutNulls(sent, properties)
      if (!validator.Check(given)) throw wrongArguments(name, schemaIssues(Errors(schema, given)))
      const fault = findUnstorable(given, '')
      if (fault !== undefined) {
        throw wrongArguments(name, [{ pointer: fault.pointer, detail: fault.reason }])
      }
      return run(given, context)
    },
  }
}

/** Removes known arguments that are null. As in a query, they count as absent (decision D3). */
function withoutNulls(given: unknown, known: object): unknown {
  if (!isObject(given)) return given
  const stated = Object.entries(given).filter(
    ([name, value]) => value !== null || !Object.hasOwn(known, name),
  )
  return Object.fromEntries(stated)
}

function wrongArguments(tool: string, issues: ReturnType<typeof schemaIssues>): AppError {
  const named = issues.map(({ pointer, detail, expected = [] }) => {
    const isTold = expected.every((one) => detail.includes(one))
    const allowed = isTold ? '' : ` (${expected.join(', ')})`
    return `${pointer.slice(1).replaceAll('/', '.')} ${detail}${allowed}`
  })
  return new AppError('HUB-QRY-001', `Arguments of ${tool}: ${named.join('; ')}.`, {
    issues,
    hint: 'tools/list has the schema of the arguments.',
  })
}

/** Arguments that are shared by several tools. */
export const language = Type.Optional(
  Type.String({
    pattern: '^[a-z]{2,3}$',
    default: 'en',
    description: 'Language of texts, such as de, it or en',
  }),
)

export const datasetName = Type.String({
  minLength: 1,
  maxLength: 200,
  examples: ['content/Accommodation', 'timeseries/ParkingStation'],
  description: 'Identifier of a dataset, from search_datasets',
})

export const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'Maximum number of results' }),
)

export const cursor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 8000,
    description: 'Continues after a result: its cursor, with all other arguments unchanged',
  }),
)

/** Arguments that filter records or stations. */
export const filters = {
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Text in the title or name, in any language',
    }),
  ),
  match: Type.Optional(
    Type.Record(
      Type.String({ minLength: 1, maxLength: 200 }),
      Type.Unsafe<string | number | boolean | null>({
        type: ['string', 'number', 'boolean', 'null'],
        maxLength: 500,
      }),
      {
        maxProperties: 20,
        examples: [{ Type: 'Hotel', 'LocationInfo.MunicipalityInfo.Name.de': 'Meran' }],
        description:
          'Paths of describe_dataset, each with its value; "~castle" for a part of it in any case; null for none',
      },
    ),
  ),
  filter: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4000,
      examples: ['and(eq(Active,true),ge(Altitude,1500))', 'smetadata.capacity.gteq.100'],
      description:
        'Expression, like the examples: rawfilter for content, where for timeseries (see hub://docs/content-queries, hub://docs/time-series)',
    }),
  ),
  parameters: Type.Optional(
    Type.Record(
      Type.String({ pattern: '^[A-Za-z]{1,40}$' }),
      Type.Unsafe<string | number | boolean>({
        type: ['string', 'number', 'boolean'],
        maxLength: 2000,
      }),
      {
        maxProperties: 20,
        examples: [{ tagfilter: 'castles', locfilter: 'mun3CCB264AA763BFAEF7183FF4B102C487' }],
        description:
          'Parameters of the list, from describe_dataset: tagfilter with tags, locfilter, begindate …',
      },
    ),
  ),
}

export type Filters = Static<TObject<typeof filters>>

export const fieldPaths = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    minItems: 1,
    maxItems: 40,
    examples: [['Detail.en.Title', 'ContactInfos.en.Phonenumber']],
    description:
      'Paths of the fields to return, from describe_dataset; * for all; default: the main ones',
  }),
)
