/** Numbers objects in the order in which they are met; who forgets them is not kept from doing so. */
export function numbering(): (thing: object) => number {
  const known = new WeakMap<object, number>()
  let last = 0
  return (thing) => {
    const number = known.get(thing) ?? (last += 1)
    known.set(thing, number)
    return number
  }
}
