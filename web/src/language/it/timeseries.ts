import type { TimeseriesMessages } from '../en/timeseries.ts'

export const timeseries: TimeseriesMessages = {
  title: 'Serie temporali',
}
