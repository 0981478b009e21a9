import { AppError } from '../../errors/index.ts'
import type { Issue } from '../../errors/index.ts'
import { LanguageError } from '../../lang/index.ts'
import { edgeLevel } from '../catalogue/edge-level.ts'
import { latestLevel, stationLevel } from '../catalogue/node-levels.ts'
import type { Level } from '../catalogue/level.ts'
import type { Profile } from '../profile.ts'
import { parseSelect } from '../select/parser.ts'
import { rejectedSelect } from '../select/rejected-select.ts'
import { resolveSelect } from '../select/resolve.ts'
import { parseWhere } from '../where/parser.ts'
import { printWhere } from '../where/print.ts'
import { rejectedWhere } from '../where/rejected-where.ts'
import { resolveWhere } from '../where/resolve.ts'

/** The parameters of reads that hold a small language. */
export const timeseriesExpressions = ['where', 'select'] as const

/** Which paths an expression is for. */
export type ReadKind = 'stations' | 'values' | 'edges'

type Wanted = {
  readonly name: (typeof timeseriesExpressions)[number]
  readonly written: string
  readonly at: ReadKind
  readonly profile: Profile
}

type Checked = {
  readonly valid: boolean
  readonly canonical: string | null
  readonly errors: readonly Issue[]
}

const levels: Readonly<Record<ReadKind, Level>> = {
  stations: stationLevel,
  values: latestLevel,
  edges: edgeLevel,
}

/** Reads an expression as a request would, and runs nothing. */
export function checkTimeseriesExpression(wanted: Wanted): Checked {
  try {
    return { valid: true, canonical: read(wanted), errors: [] }
  } catch (error) {
    const refusal = error instanceof LanguageError ? refusalOf(wanted.name, error) : error
    if (!(refusal instanceof AppError)) throw error
    const { message, issues } = refusal
    const errors = issues.length > 0 ? issues : [{ parameter: wanted.name, detail: message }]
    return { valid: false, canonical: null, errors }
  }
}

function read({ name, written, at, profile }: Wanted): string {
  if (name === 'select') {
    const shown = resolveSelect(parseSelect(written), levels[at])
    return shown.map(({ key }) => key).join(',')
  }
  const expression = parseWhere(written, profile === 'strict' ? 'required' : 'optional')
  resolveWhere(expression, levels[at])
  return printWhere(expression)
}

function refusalOf(name: Wanted['name'], error: LanguageError): AppError {
  if (name === 'where') return rejectedWhere(error)
  const { message, position, expected, hint } = error
  return rejectedSelect({ detail: message, position, expected, hint })
}
