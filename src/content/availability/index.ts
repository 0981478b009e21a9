export { exportAvailability, storeAvailability } from './store-availability.ts'
export type { AvailabilityProvider } from './offers.ts'
export { faultsOfRoom, keyOf as roomKeyOf, roomItem } from './item.ts'
export type { RoomItem } from './item.ts'
