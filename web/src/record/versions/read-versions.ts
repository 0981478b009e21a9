import { isMembers, listOf, membersOf, numberOf, textOf } from '../read/json.ts'

/** One version of a record, as its history lists it. */
export type Version = {
  readonly revision: number
  readonly at?: string
  readonly by?: string
  readonly source?: string
  /** JSON Patch from the version before; undefined where that is not kept. */
  readonly operations?: readonly unknown[]
}

/** The most versions that are shown; older ones are read by request. */
export const mostVersions = 50

/** The versions that an answer of `/History` lists, newest first. */
export function readVersions(answer: unknown): readonly Version[] {
  return listOf(membersOf(answer)['Items'])
    .filter(isMembers)
    .flatMap((item) => {
      const revision = numberOf(item['Revision'])
      if (revision === undefined) return []
      const [at, by, source] = ['LastUpdate', 'UpdatedBy', 'Source'].map((name) =>
        textOf(item[name]),
      )
      return [
        {
          revision,
          ...(at === undefined ? {} : { at }),
          ...(by === undefined ? {} : { by }),
          ...(source === undefined ? {} : { source }),
          ...(Array.isArray(item['Changes']) ? { operations: listOf(item['Changes']) } : {}),
        },
      ]
    })
    .toSorted((a, b) => b.revision - a.revision)
}
