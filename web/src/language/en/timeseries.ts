export const timeseries = {
  title: 'Time series',
}

export type TimeseriesMessages = typeof timeseries
