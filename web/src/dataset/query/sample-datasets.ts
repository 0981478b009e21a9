import type { Dataset } from './dataset-query.ts'

/** A dataset of content, as tests need one. */
export const content: Dataset = {
  service: 'content',
  type: 'Event',
  list: '/v1/Event',
  titleField: 'Detail.{language}.Title',
}

/** A dataset of stations, as tests need one. */
export const stations: Dataset = {
  service: 'timeseries',
  type: 'ParkingStation',
  list: '/v2/flat,node/ParkingStation',
  titleField: 'sname',
}
