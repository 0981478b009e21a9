import { groupingParameters } from '../../lang/schemas.ts'
import { AppError } from '../../errors/index.ts'

/** Parameters that group the rows of the list of stations (decision D71). */
export const groupParameters = groupingParameters(
  {
    examples: [['smetadata.municipality']],
    description:
      'In flat: one row for all stations with the same values of up to three fields, with the aggregates in agg; a short form of select',
  },
  {
    examples: [['count', 'avg(smetadata.capacity)']],
    description:
      'Aggregates of each group: count, or count, sum, avg, min or max of a field; default: count',
  },
)

type GroupQuery = {
  readonly groupby?: readonly string[]
  readonly agg?: readonly string[]
  readonly select?: string
}

/**
 * Returns the `select` that `groupby` and `agg` abbreviate: fields, and aggregates that are grouped
 * by them (decision D44).
 * @returns undefined if both are missing
 * @throws AppError HUB-QRY-001 for an aggregate in `groupby` or a field in `agg`
 */
export function toSelect({ groupby, agg }: GroupQuery): string | undefined {
  if (groupby === undefined && agg === undefined) return undefined
  const fields = (groupby ?? []).map((text) => text.trim())
  const aggregates = (agg ?? ['count']).map((text) => text.trim())
  const aggregate = fields.find((text) => text === 'count' || /[(*]/.test(text))
  if (aggregate !== undefined) throw misplaced('groupby', aggregate, 'scode, smetadata.city …')
  const field = aggregates.find((text) => text !== 'count' && !text.includes('('))
  if (field !== undefined) throw misplaced('agg', field, 'count, avg(smetadata.capacity) …')
  return [...fields, ...aggregates].join(',')
}

function misplaced(parameter: string, text: string, expected: string): AppError {
  const detail = `has ${JSON.stringify(text)}, which is not ${parameter === 'agg' ? 'an aggregate' : 'a field'}`
  return new AppError('HUB-QRY-001', `${parameter} ${detail}.`, {
    issues: [{ parameter, detail, expected: [expected] }],
  })
}

/**
 * Translates an error in the combined `select` to the parameter and position where it was written.
 */
export function inGroups(error: unknown, { groupby = [], agg }: GroupQuery): unknown {
  const isGrouped = groupby.length > 0 || agg !== undefined
  if (!isGrouped || !(error instanceof AppError) || error.code !== 'HUB-QRY-009') return error
  const behind = groupby.map((text) => text.trim()).join(',').length + (groupby.length > 0 ? 1 : 0)
  const { message, code, hint } = error
  const position = error.issues[0]?.position ?? 0
  const [parameter, start] = position < behind ? ['groupby', 0] : ['agg', behind]
  const placed = (text: string) =>
    text.replace(`at position ${position}`, `at position ${position - start}`)
  const issues = error.issues.map((issue) => ({
    ...issue,
    parameter,
    position: position - start,
    detail: placed(issue.detail),
  }))
  const named = placed(message.replace('select', parameter))
  return new AppError(code, named, { issues, ...(hint === undefined ? {} : { hint }) })
}
