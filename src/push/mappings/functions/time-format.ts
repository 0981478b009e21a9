/** A time as it is written: as if its clock were UTC, and the offset where the text names one. */
export type WrittenTime = { readonly local: number; readonly zone: string | undefined }

/** Reads a text; undefined when it does not fit. */
export type ReadTime = (text: string) => WrittenTime | undefined

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'zone' | 'half'

/** What the letters of a pattern stand for (as in Unicode TR 35, numbers only), the longest first. */
const letters: readonly (readonly [token: string, field: Field, pattern: string])[] = [
  ['yyyy', 'year', String.raw`\d{4}`],
  ['yy', 'year', String.raw`\d\d`],
  ['MM', 'month', String.raw`\d\d`],
  ['M', 'month', String.raw`\d\d?`],
  ['dd', 'day', String.raw`\d\d`],
  ['d', 'day', String.raw`\d\d?`],
  ['HH', 'hour', String.raw`\d\d`],
  ['H', 'hour', String.raw`\d\d?`],
  ['hh', 'hour', String.raw`\d\d`],
  ['h', 'hour', String.raw`\d\d?`],
  ['mm', 'minute', String.raw`\d\d`],
  ['m', 'minute', String.raw`\d\d?`],
  ['ss', 'second', String.raw`\d\d`],
  ['s', 'second', String.raw`\d\d?`],
  ['a', 'half', '[AaPp][Mm]'],
  ['X', 'zone', String.raw`Z|z|[+-]\d\d(?::?\d\d)?`],
]

type Pattern = { readonly regex: RegExp; readonly fields: readonly Field[] }

/**
 * Compiles a pattern such as `dd/MM/yyyy HH:mm:ss.S X`: `S` any number of decimals, `X` an offset or Z,
 * `a` AM or PM, `[…]` what may be missing, `'…'` letters as they are; `T` stands for itself.
 * @returns what is wrong with it, as a text
 */
export function compilePattern(pattern: string): ReadTime | string {
  const parts = toParts(pattern)
  if (typeof parts === 'string') return parts
  const { regex, fields } = parts
  if (!fields.includes('year') || !fields.includes('month') || !fields.includes('day')) {
    return 'has no year, month and day (yyyy, MM, dd)'
  }
  return (text) => {
    const found = regex.exec(text)
    if (found === null) return undefined
    const values = new Map<Field, string>()
    fields.forEach((field, index) => {
      const value = found[index + 1]
      if (value !== undefined) values.set(field, value)
    })
    return toWritten(values)
  }
}

function toParts(pattern: string): Pattern | string {
  const fields: Field[] = []
  let source = ''
  for (let rest = pattern; rest !== '';) {
    const quoted = /^'((?:[^']|'')*)'/.exec(rest)
    const letter = letters.find(([token]) => rest.startsWith(token))
    const [first = ''] = rest
    if (quoted !== null) source += escaped((quoted[1] ?? '').replaceAll("''", "'") || "'")
    else if (rest.startsWith('S')) {
      fields.push('fraction')
      source += String.raw`(\d{1,9})`
    } else if (letter !== undefined) {
      fields.push(letter[1])
      source += `(${letter[2]})`
    } else if (first === '[') source += '(?:'
    else if (first === ']') source += ')?'
    else if (/[A-Za-z]/.test(first) && first !== 'T') return `has the unknown letter ${first}`
    else source += escaped(first)
    rest = rest.slice(quoted?.[0].length ?? letter?.[0].length ?? /^S+/.exec(rest)?.[0].length ?? 1)
  }
  if (new Set(fields).size < fields.length) return 'names one thing twice'
  try {
    return { regex: new RegExp(`^${source}$`), fields }
  } catch {
    return 'has a [ without ]'
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

/** @returns undefined for what no calendar has, such as 31 February */
function toWritten(values: ReadonlyMap<Field, string>): WrittenTime | undefined {
  const number = (field: Field) => Number(values.get(field) ?? 0)
  const [month, day, minute, second] = [
    number('month'),
    number('day'),
    number('minute'),
    number('second'),
  ]
  const year = values.get('year')?.length === 2 ? 2000 + number('year') : number('year')
  const hour = toHour(number('hour'), values.get('half'))
  if (minute > 59 || second > 60 || hour > 24 || (hour === 24 && minute + second > 0))
    return undefined
  const midnight = Date.UTC(year, month - 1, day)
  const date = new Date(midnight)
  if (year < 100 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const milliseconds = Math.floor(Number(`0.${values.get('fraction') ?? '0'}`) * 1000)
  const local = midnight + hour * 3_600_000 + minute * 60_000 + second * 1000 + milliseconds
  return { local, zone: values.get('zone') }
}

/** Twelve o'clock begins its half of the day. */
function toHour(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return 25
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}
