/**
 * What has a version of its own in the change record. Every answer is labelled with the versions of
 * the datasets that it shows.
 */

/** Stations and edges of a type, and what their answers show of other stations. */
export const stationsOf = (type: string): string => `stations/${type}`

/** Values of the stations of a type. */
export const measurementsOf = (stationType: string): string => `timeseries/${stationType}`

export const dataTypes = 'dataTypes'

export const eventsOf = (origin: string): string => `events/${origin}`

/** The area of all of them. */
export const area = 'timeseries'
