export { default as ExpressionField } from './editor/ExpressionField.svelte'
export { default as Filters } from './filters/Filters.svelte'
