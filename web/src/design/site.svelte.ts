/** What the settings of the hub say of the page as a whole. */
export const site = $state({
  title: 'Hub',
  /** What addresses for others begin with: where callers reach the hub. */
  publicUrl: location.origin,
})
