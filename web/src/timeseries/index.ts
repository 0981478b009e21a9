export { default as View } from './TimeseriesView.svelte'
