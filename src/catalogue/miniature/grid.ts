/** Cells of about one kilometre, in which places are counted: so many in a degree. */
export const grid = { perLongitude: 64, perLatitude: 96 } as const
