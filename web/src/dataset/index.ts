export { default as View } from './DatasetView.svelte'
