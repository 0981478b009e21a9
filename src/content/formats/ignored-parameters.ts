import { AppError } from '../../errors/index.ts'
import type { Ignorable } from './format.ts'
import type { Choice } from './choose-format.ts'

/** The parameters of a request that a format may have no use for. */
type Query = {
  readonly fields?: readonly string[]
  readonly language?: string
  readonly removenullvalues: boolean
}

/**
 * The parameters that were given and mean nothing in the chosen format.
 * @throws AppError HUB-QRY-003 under strict handling (decision D3)
 */
export function parametersIgnored(
  { format }: Choice,
  query: Query,
  { isStrict }: { readonly isStrict: boolean },
): readonly Ignorable[] {
  const ignored = format.ignores.filter(
    (name) => query[name] !== undefined && query[name] !== false,
  )
  if (!isStrict || ignored.length === 0) return ignored
  throw new AppError('HUB-QRY-003', `${ignored.join(', ')} would be ignored in ${format.name}.`, {
    issues: ignored.map((parameter) => ({
      parameter,
      detail: `means nothing in the format ${format.name}`,
    })),
  })
}
