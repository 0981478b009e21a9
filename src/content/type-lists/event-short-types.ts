import { typeRows } from './type-row.ts'

/** Where short events take place (reference content.md 1.4). */
export const eventLocations = typeRows({
  NOI: ['NOI Techpark', 'NOI Techpark', 'NOI Techpark'],
  EC: ['Eurac Research', 'Eurac Research', 'Eurac Research'],
  VV: ['Virtual Village', 'Virtual Village', 'Virtual Village'],
  OUT: ['Außerhalb', 'Altrove', 'Elsewhere'],
})
