export { default as View } from './Gallery.svelte'
