/** Whether the hub answers at all. */
export function isReachable(): Promise<boolean> {
  return fetch('/explorer.json', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
