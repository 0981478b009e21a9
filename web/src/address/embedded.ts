/**
 * Whether the page is shown in a frame of another website (`?embed=true`). It then consists of the
 * view alone, without header, login and navigation; links to other views open in a new tab.
 */
export const isEmbedded = new URLSearchParams(location.search).get('embed') === 'true'
