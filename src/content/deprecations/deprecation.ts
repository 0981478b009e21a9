/** A day as `yyyy-MM-dd`. */
export type Day = string

/** Something of the content service that is on its way out, or gone (interface 3, 9). */
export type Deprecation = {
  readonly kind: 'member' | 'parameter' | 'route'
  /** Name of the entity that it belongs to; `*` for every entity that has a field of this name. */
  readonly entity: string
  /**
   * For a field its path: a dot leads into an object, through every element of an array, and through
   * the keys of an object keyed by language or free text. For a route its address.
   */
  readonly name: string
  /** Deprecated is still served; removed is neither stored nor served. */
  readonly state: 'deprecated' | 'removed'
  /** What to use instead, and what is worth knowing besides. */
  readonly description: string
  /** Of a removed field, which no schema describes any more. */
  readonly type?: string
  /** The path of the field that holds the same value: the hub then copies it from there. */
  readonly copyOf?: string
  readonly deprecated: Day
  readonly removedAfter: Day
}
