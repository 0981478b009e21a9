export { default as View } from './RecordView.svelte'
