/** So many colours that also people who do not tell red from green tell apart; then they are dashed. */
const colours = 6

export type Look = { readonly colour: string; readonly isDashed: boolean }

/** How the series at a place of the list looks; the colour is a custom property. */
export function lookOf(index: number): Look {
  return {
    colour: `--series-${String((index % colours) + 1)}`,
    isDashed: Math.floor(index / colours) % 2 === 1,
  }
}

/** The colour that a custom property has at this moment, as canvases need it. */
export function resolveColour(property: string, within: HTMLElement): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${property})`
  probe.hidden = true
  within.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** The same colour, mostly clear. */
export function pale(colour: string, share: number): string {
  return `color-mix(in srgb, ${colour} ${String(Math.round(share * 100))}%, transparent)`
}
