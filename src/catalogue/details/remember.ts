import { LRUCache } from 'lru-cache'

/** The text of an answer with its entity tag. */
export type Answer = { readonly text: string; readonly etag: string }

type Wanted = {
  readonly key: string
  /** What the answer is made from: things that are others, and not only equal, once they changed. */
  readonly basis: readonly unknown[]
  readonly make: () => Promise<Answer>
}

type Known = { readonly basis: readonly unknown[]; readonly answer: Promise<Answer> }

/** Answers under their keys, so many at once; each is made again when what it is made from changed. */
export function rememberAnswers(max: number): (wanted: Wanted) => Promise<Answer> {
  const answers = new LRUCache<string, Known>({ max })
  return ({ key, basis, make }) => {
    const known = answers.get(key)
    if (known !== undefined && isSame(known.basis, basis)) return known.answer
    const made = { basis, answer: make() }
    answers.set(key, made)
    made.answer.catch(() => {
      if (answers.get(key) === made) answers.delete(key)
    })
    return made.answer
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((thing, place) => thing === other[place])
}
