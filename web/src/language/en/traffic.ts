export const traffic = {
  title: 'Traffic',
}

export type TrafficMessages = typeof traffic
