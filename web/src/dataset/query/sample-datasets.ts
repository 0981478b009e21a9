import type { Dataset } from './dataset-query.ts'

/** A content dataset for tests. */
export const content: Dataset = {
  service: 'content',
  type: 'Event',
  list: '/v1/Event',
  titleField: 'Detail.{language}.Title',
}

/** A dataset of stations for tests. */
export const stations: Dataset = {
  service: 'timeseries',
  type: 'ParkingStation',
  list: '/v2/flat,node/ParkingStation',
  titleField: 'sname',
}
