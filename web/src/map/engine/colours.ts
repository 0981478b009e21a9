/** The colours of maps by name; each is a custom property of `colours.css`. */
export const colourNames = [
  'outside',
  'land',
  'tint0',
  'tint1',
  'tint2',
  'tint3',
  'hairline',
  'border',
  'edge',
  'label',
  'halo',
  'ink',
  'sheet',
  'accent',
  'chosen',
  'content',
  'timeseries',
  'traffic',
  'stale',
  ...Array.from({ length: 6 }, (_, index) => `step${index}` as const),
  ...Array.from({ length: 8 }, (_, index) => `kind${index}` as const),
] as const

export type ColourName = (typeof colourNames)[number]

/** Refers to a colour in a style; it follows when the page becomes dark. */
export function colour(name: ColourName): ['global-state', string] {
  return ['global-state', name]
}

/** Reads the colours as the page shows them now: custom properties alone would say `light-dark(…)`. */
export function readColours(within: HTMLElement): Readonly<Record<string, string>> {
  const probe = document.createElement('span')
  within.append(probe)
  const found = colourNames.map((name) => {
    probe.style.color = `var(--map-${name})`
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(found)
}
