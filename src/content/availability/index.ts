export { exportAvailability, storeAvailability } from './store-availability.ts'
export type { AvailabilityProvider } from './provider.ts'
export { boards, channels, roomTypes } from './request.ts'
export { faultsOfRoom, keyOf as roomKeyOf } from './item.ts'
