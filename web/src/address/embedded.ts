/**
 * Whether the page stands in a frame of another website (`?embed=true`): the view alone, without head, login and
 * ways to other views, which open in a page of their own.
 */
export const isEmbedded = new URLSearchParams(location.search).get('embed') === 'true'
