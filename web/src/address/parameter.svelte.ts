import { untrack } from 'svelte'
import { address, change } from './address.svelte.ts'
import type { How } from './address.svelte.ts'
import type { Codec } from './codecs.ts'

/** One choice of a person, kept in the address. `bind:value={parameter.value}` works. */
export type Parameter<Value> = {
  /** Setting it replaces the present step of the history; `set(value, 'push')` adds one. */
  value: Value
  readonly set: (value: Value, how?: How) => void
  /** Whether it is anything but the fallback. */
  readonly isSet: boolean
  /** Puts the value into parameters that become an address: for `href`s and for several at once. */
  readonly write: (search: URLSearchParams, value: Value) => void
}

/**
 * Binds a parameter of the address: `const search = parameter('q', text())`.
 * Several change at once by `change((search) => { a.write(search, 1); b.write(search, 2) }, 'push')`.
 */
export function parameter<Value>(name: string, codec: Codec<Value>): Parameter<Value> {
  // Reading anew gives a new object each time: those who depend on it hear only of another text.
  const written = $derived(JSON.stringify(address.search.getAll(name)))
  const value = $derived(
    codec.read(written === '[]' ? [] : untrack(() => address.search.getAll(name))),
  )
  const write = (search: URLSearchParams, next: Value) => {
    search.delete(name)
    for (const word of codec.write(next)) search.append(name, word)
  }
  const set = (next: Value, how: How = 'replace') => {
    change((search) => {
      write(search, next)
    }, how)
  }
  return {
    get value() {
      return value
    },
    set value(next) {
      set(next)
    },
    get isSet() {
      return codec.write(value).length > 0
    },
    set,
    write,
  }
}
