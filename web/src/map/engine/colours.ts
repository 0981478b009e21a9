/** Names of the map colours; each is a custom property in `colours.css`. */
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
  'river',
  'road',
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

/** Refers to a colour in a map style. It follows changes of the colour scheme. */
export function colour(name: ColourName): ['global-state', string] {
  return ['global-state', name]
}

/** System fonts: without a glyph server, the letters are rendered in the browser. */
export const labelFont = ['system-ui, Segoe UI, Roboto, Noto Sans, Liberation Sans, sans-serif']
