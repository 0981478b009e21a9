export { default as Filters } from './filters/Filters.svelte'
