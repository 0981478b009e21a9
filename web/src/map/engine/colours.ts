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

/** Refers to a colour in a style; it follows when the page becomes dark. */
export function colour(name: ColourName): ['global-state', string] {
  return ['global-state', name]
}

/** Fonts of the reader’s system: without a server of glyphs the letters are drawn here. */
export const labelFont = ['system-ui, Segoe UI, Roboto, Noto Sans, Liberation Sans, sans-serif']
