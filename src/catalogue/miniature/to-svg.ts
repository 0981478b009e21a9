import type { Miniature } from '../dataset.ts'

/**
 * The picture as a file that pages elsewhere may show: nothing in it runs or is loaded. The colour is
 * that of text in light and dark surroundings alike.
 */
export function toSvg({ viewBox, path }: Miniature, title: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<path d="${path}" fill="none" stroke="#5b6770" stroke-linecap="round" stroke-linejoin="round" stroke-width="0.9"/>`,
    '</svg>',
  ].join('')
}

function escaped(text: string): string {
  // XML has no control characters.
  const printable = text.replaceAll(/\p{Cc}/gu, ' ')
  return printable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
