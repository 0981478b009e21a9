import type { TrafficMessages } from '../en/traffic.ts'

export const traffic: TrafficMessages = {
  title: 'Verkehr',
}
