export { default as View } from './TrafficView.svelte'
