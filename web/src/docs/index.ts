export { default as View } from './DocsView.svelte'
