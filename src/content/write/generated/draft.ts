/** A record in the making: what the sender gave, and what the hub has added so far. */
export type Draft = {
  readonly record: Readonly<Record<string, unknown>>
  /**
   * Adds a member where the sender gave none: what a sender says is never contradicted. Null and a
   * missing member are the same, because most sources write null for what they do not know.
   * @param value undefined for nothing to say
   */
  readonly give: (path: readonly string[], value: unknown) => void
  /**
   * Adds a member to every object that stands at a path, through arrays.
   * @param name of the member that is added
   * @param change gives the very same object back for no change
   */
  readonly replace: (
    path: readonly string[],
    name: string,
    change: (holder: Members) => Members,
  ) => void
}

export type Members = Readonly<Record<string, unknown>>

/** A draft of these members, which are left as they are, and the paths of what is added. */
export function toDraft(members: Members): Draft & { readonly given: ReadonlySet<string> } {
  const record: Record<string, unknown> = { ...members }
  const given = new Set<string>()
  return {
    record,
    given,
    give: (path, value) => {
      if (value === undefined || value === null) return
      const changed = place(record, path, value)
      if (changed === undefined) return
      const begun = firstAbsent(record, path)
      const [name = ''] = path
      record[name] = changed[name]
      if (!isWithin(given, path)) given.add(path.slice(0, begun + 1).join('.'))
    },
    replace: (path, member, change) => {
      const [name = '', ...below] = path
      const changed = replaceAt(record[name], below, change)
      if (changed === record[name]) return
      record[name] = changed
      given.add([...path, member].join('.'))
    },
  }
}

/** The value with the objects at the path changed; the very same value where none is. */
function replaceAt(
  value: unknown,
  path: readonly string[],
  change: (holder: Members) => Members,
): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    const changed = items.map((item) => replaceAt(item, path, change))
    return changed.some((item, index) => item !== items[index]) ? changed : value
  }
  if (!isObject(value)) return value
  const [name, ...below] = path
  if (name === undefined) return change(value)
  const inner = replaceAt(value[name], below, change)
  return inner === value[name] ? value : { ...value, [name]: inner }
}

/** The objects at a path, through arrays. */
export function holdersAt(value: unknown, path: readonly string[]): readonly Members[] {
  if (Array.isArray(value)) return value.flatMap((item) => holdersAt(item, path))
  if (!isObject(value)) return []
  const [name, ...below] = path
  return name === undefined ? [value] : holdersAt(value[name], below)
}

/** How deep the path leads to what is there: below, the hub begins objects of its own. */
function firstAbsent(record: Members, path: readonly string[]): number {
  let at: unknown = record
  return path.findIndex((name) => {
    at = isObject(at) ? at[name] : undefined
    return isAbsent(at)
  })
}

/** Whether the hub has made an object that the path leads through. */
function isWithin(given: ReadonlySet<string>, path: readonly string[]): boolean {
  return path.some((_name, index) => given.has(path.slice(0, index).join('.')))
}

/** The object with the value at the path; undefined where something stands there or in the way. */
function place(parent: Members, path: readonly string[], value: unknown): Members | undefined {
  const [name = '', ...below] = path
  const present = parent[name]
  if (below.length === 0) return isAbsent(present) ? { ...parent, [name]: value } : undefined
  if (!isAbsent(present) && !isObject(present)) return undefined
  const inner = place(isObject(present) ? present : {}, below, value)
  return inner && { ...parent, [name]: inner }
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of a list; nothing for what is no list. */
export function objectsOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The texts of a list; nothing for what is no list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Each text of an object keyed by language, by its key; undefined when there is none. */
export function pickPerLanguage(value: unknown, name: string): Members | undefined {
  if (!isObject(value)) return undefined
  const texts = Object.entries(value).flatMap(([language, entry]) => {
    const text = isObject(entry) ? textOf(entry[name]) : undefined
    return text === undefined ? [] : [[language, text] as const]
  })
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}
