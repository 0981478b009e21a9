let current = $state(location.origin)

/** What addresses for others begin with: where callers reach the hub, as its settings say. */
export const publicUrl = {
  get current(): string {
    return current
  },
  set current(next: string) {
    current = next
  },
}
