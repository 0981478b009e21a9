/** Settings of the page as a whole, from the hub's configuration. */
export const site = $state({
  title: 'Hub',
  /** Base of absolute URLs: the origin at which callers reach the hub. */
  publicUrl: location.origin,
})
