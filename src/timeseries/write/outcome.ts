/** Why an item cannot be taken. */
export type Fault = {
  readonly reason: string
  /** JSON pointer of the member at fault, inside the item. */
  readonly pointer: string
}

/** An item that was not taken. */
export type Rejection = Fault & {
  /** Position in the items that were handed in. */
  readonly index: number
}

/** What became of the items of a message: each is stored or rejected. */
export type Outcome = {
  /** Items taken, also those that changed nothing because the hub knew better already. */
  readonly stored: number
  readonly rejected: readonly Rejection[]
  /** What was stored, but is most likely wrong. */
  readonly warnings?: readonly Rejection[]
  /** Whether some were rejected only because what they refer to is not known yet. */
  readonly awaits?: true
}

/** What every write must know beyond its items. */
export type Saving = {
  /**
   * When the hub got the message, or the time that an ADMIN gave as `recorded`. It becomes the
   * transaction or version time, and an older message never overwrites a younger one (decision D53).
   */
  readonly received: Date
}

/** An item with its position in the message. */
export type Sent<Item> = { readonly index: number; readonly item: Item }

/** What a check let through, and what not. */
export type Sifted<Item> = {
  readonly taken: readonly Sent<Item>[]
  readonly rejected: readonly Rejection[]
}

/** Parts the items with a fault from the others. */
export function sift<Item>(
  sent: readonly Sent<Item>[],
  faultOf: (sent: Sent<Item>) => Fault | undefined,
): Sifted<Item> {
  const taken: Sent<Item>[] = []
  const rejected: Rejection[] = []
  for (const one of sent) {
    const fault = faultOf(one)
    if (fault === undefined) taken.push(one)
    else rejected.push({ index: one.index, ...fault })
  }
  return { taken, rejected }
}

/**
 * Of several items with the same text in the member `key` the last one counts; the others are named,
 * not dropped silently.
 */
export function keepLast<Key extends string, Item extends Readonly<Record<Key, string>>>(
  items: readonly Item[],
  key: Key,
): Sifted<Item> {
  const lastAt = new Map(items.map((item, index) => [item[key], index]))
  const sent = items.map((item, index) => ({ index, item }))
  return sift(sent, ({ index, item }) =>
    lastAt.get(item[key]) === index ? undefined : { pointer: `/${key}`, reason: repeated },
  )
}

const repeated = 'comes again later in this message, and only the last one counts'
