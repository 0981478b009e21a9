/**
 * Encoding of a choice in the URL. Invalid values decode to the fallback; the fallback is not
 * written.
 */
export type Codec<Value> = {
  readonly read: (values: readonly string[]) => Value
  readonly write: (value: Value) => readonly string[]
}

/** Codec for any text. */
export const text = (fallback = ''): Codec<string> => ({
  read: ([first = fallback]) => first,
  write: (value) => (value === fallback ? [] : [value]),
})

/** Codec for several texts without duplicates, in their order: `?tag=a&tag=b`. */
export const texts = (): Codec<readonly string[]> => ({
  read: (values) => [...new Set(values)],
  write: (values) => values,
})

/** Codec for a finite number. */
export const number = (fallback: number): Codec<number> => ({
  read: ([first = '']) =>
    first !== '' && Number.isFinite(Number(first)) ? Number(first) : fallback,
  write: (value) => (value === fallback ? [] : [String(value)]),
})

/** Codec for several numbers in one value, such as a position on the map: `?at=46.5,11.3,9`. */
export const numbers = (count: number): Codec<readonly number[] | undefined> => ({
  read: ([first = '']) => {
    const found = first.split(',').map(Number)
    return first !== '' && found.length === count && found.every(Number.isFinite)
      ? found
      : undefined
  },
  write: (values) => (values === undefined ? [] : [values.join(',')]),
})

/** Codec for a boolean: `?closed`. */
export const flag = (): Codec<boolean> => ({
  read: ([first]) => first !== undefined && first !== 'false',
  write: (value) => (value ? ['true'] : []),
})

/** Codec for one of a few words; the first word is the fallback. */
export const choice = <Word extends string>(
  words: readonly [Word, ...(readonly Word[])],
): Codec<Word> => ({
  read: ([first]) => words.find((word) => word === first) ?? words[0],
  write: (word) => (word === words[0] ? [] : [word]),
})
