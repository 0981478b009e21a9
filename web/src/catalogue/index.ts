export { default as View } from './CatalogueView.svelte'
