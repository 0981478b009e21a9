// Maps load the map engine when the first one is shown.
export { default as EventMap } from './events/EventMap.svelte'
export { default as LiveMap } from './live/LiveMap.svelte'
export { default as PlaceMap } from './PlaceMap.svelte'
