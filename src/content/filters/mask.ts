import { Type } from 'typebox'
import type { Sql } from '../../sql/index.ts'
import type { Profile } from '../list/seed.ts'
import { filter } from './filter.ts'
import type { Filter } from './filter.ts'
import { rejected } from './reject.ts'

type MaskFilter = {
  readonly name: string
  readonly description: string
  /** What each bit stands for, from 1 upwards. */
  readonly codes: readonly string[]
  readonly condition: (codes: readonly string[], profile: Profile | undefined) => Sql
}

type Named = MaskFilter & {
  /** How a name given in place of a number is spelt in records; without it only numbers are taken. */
  readonly toCode: (name: string) => string
}

const sumOf = (codes: readonly string[]) => 2 ** codes.length - 1

/** The codes of the bits that are set; undefined for a number that has other bits. */
function readMask(mask: string, codes: readonly string[]): readonly string[] | undefined {
  const bits = Number(mask)
  if (!/^\d{1,10}$/.test(mask) || bits > sumOf(codes)) return undefined
  return codes.filter((_, bit) => Math.floor(bits / 2 ** bit) % 2 === 1)
}

/** `1 hotel, 2 farm …`: what the number of a mask is the sum of. */
function describe(codes: readonly string[]): readonly string[] {
  return codes.map((code, bit) => `${String(2 ** bit)} ${code}`)
}

/** A filter by a sum of bits, passed as text (interface 4.5). 0 is no filter. */
export function maskFilter({ name, description, codes, condition }: MaskFilter): Filter {
  const beyond = String(sumOf(codes) + 1)
  return filter({
    name,
    schema: Type.String({
      maxLength: 100,
      description: `${description}; a sum of ${describe(codes).join(', ')}; 0: no filter`,
    }),
    examples: { good: ['0', '1', String(sumOf(codes))], bad: ['x', '-1', '1.5', '1,2', beyond] },
    read: (mask, { profile }) => {
      const wanted = readMask(mask.trim(), codes)
      if (wanted === undefined) throw notAMask(name, codes)
      return wanted.length === 0
        ? undefined
        : { text: mask.trim(), condition: condition(wanted, profile) }
    },
  })
}

function notAMask(parameter: string, codes: readonly string[]) {
  const expected = [`0 to ${String(sumOf(codes))}`, ...describe(codes)]
  return rejected({ parameter, detail: 'is not a sum of these bits', expected })
}

/** A filter by a sum of bits, or by names with commas (reference content.md 1.2). All bits: no filter. */
export function namedMaskFilter(definition: Named): Filter {
  const { name, description, codes, condition, toCode } = definition
  return filter({
    name,
    schema: Type.String({
      maxLength: 5000,
      description: `${description}; names with commas, or a sum of ${describe(codes).join(', ')}`,
    }),
    examples: { good: ['1', codes[0] ?? '1', String(sumOf(codes))], bad: ['-1', '1.5', ','] },
    read: (written, { profile }) => {
      const names = written.split(',').flatMap((item) => item.trim() || [])
      const isNumber = names.length === 0 || names.some((item) => /^[+-]?[\d.]+$/.test(item))
      const wanted = isNumber ? readMask(written.trim(), codes) : names.map(toCode)
      if (wanted === undefined) throw notAMask(name, codes)
      if (wanted.length === 0 || wanted.length === codes.length) return undefined
      return { text: written.trim(), condition: condition(wanted, profile) }
    },
  })
}
