/** How a choice is written in the address. What cannot be read is the fallback, which is not written. */
export type Codec<Value> = {
  readonly read: (values: readonly string[]) => Value
  readonly write: (value: Value) => readonly string[]
}

/** Any text. */
export const text = (fallback = ''): Codec<string> => ({
  read: ([first = fallback]) => first,
  write: (value) => (value === fallback ? [] : [value]),
})

/** Several texts, in their order, each once: `?tag=a&tag=b`. */
export const texts = (): Codec<readonly string[]> => ({
  read: (values) => [...new Set(values)],
  write: (values) => values,
})

/** A finite number. */
export const number = (fallback: number): Codec<number> => ({
  read: ([first = '']) =>
    first !== '' && Number.isFinite(Number(first)) ? Number(first) : fallback,
  write: (value) => (value === fallback ? [] : [String(value)]),
})

/** Several numbers in one value, such as a place on the map: `?at=46.5,11.3,9`. */
export const numbers = (count: number): Codec<readonly number[] | undefined> => ({
  read: ([first = '']) => {
    const found = first.split(',').map(Number)
    return first !== '' && found.length === count && found.every(Number.isFinite)
      ? found
      : undefined
  },
  write: (values) => (values === undefined ? [] : [values.join(',')]),
})

/** Yes or no: `?closed`. */
export const flag = (): Codec<boolean> => ({
  read: ([first]) => first !== undefined && first !== 'false',
  write: (value) => (value ? ['true'] : []),
})

/** One of a few words; the first is the fallback. */
export const choice = <Word extends string>(
  words: readonly [Word, ...(readonly Word[])],
): Codec<Word> => ({
  read: ([first]) => words.find((word) => word === first) ?? words[0],
  write: (word) => (word === words[0] ? [] : [word]),
})
