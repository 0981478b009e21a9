/**
 * Conversion between a value and the text of an input. Texts that cannot be converted are kept, and
 * the hub reports the error.
 */
export type Writing = {
  readonly write: (value: unknown) => string
  /** Returns null for no value, and undefined if the text cannot be parsed. */
  readonly read: (text: string) => unknown
}

const write = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const orNull = (text: string) => (text === '' ? null : text)

export const asText: Writing = { write, read: orNull }

/** Numbers with a decimal point or comma. */
export const asNumber: Writing = {
  write,
  read: (text) => {
    const number = text.trim() === '' ? Number.NaN : Number(text.replace(',', '.'))
    return Number.isFinite(number) ? number : orNull(text.trim())
  },
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** A list with one value per line. */
export const asLines: Writing = {
  write: (value) => (isList(value) ? value.map(write).join('\n') : write(value)),
  read: (text) => {
    const lines = text.split('\n').map((line) => line.trim())
    const values = lines.filter((line) => line !== '')
    return values.length === 0 ? null : values
  },
}

export const asJson: Writing = {
  write: (value) => (value === null || value === undefined ? '' : JSON.stringify(value, null, 2)),
  read: (text) => {
    if (text.trim() === '') return null
    try {
      const value: unknown = JSON.parse(text)
      return value
    } catch {
      return undefined
    }
  },
}

/**
 * Returns the conversion for a date input. The time part of the previous value is kept, so midnight
 * stays midnight.
 */
export function asDay(before: unknown): Writing {
  const [, rest = ''] = /^\d{4}-\d\d-\d\d(T00:00(?::00)?Z?)?$/.exec(write(before)) ?? []
  return {
    write: (value) => write(value).slice(0, 10),
    read: (text) => (text === '' ? null : `${text}${rest}`),
  }
}

/** Reports whether a date input can show a value. A time other than midnight is edited as text. */
export function isDay(value: unknown): boolean {
  return /^(\d{4}-\d\d-\d\d(T00:00(:00)?Z?)?)?$/.test(write(value))
}
