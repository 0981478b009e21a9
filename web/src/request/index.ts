export type { DescribedRequest } from './described-request.ts'
export { publicUrl } from './public-url.svelte.ts'
export { default as RequestPanel } from './RequestPanel.svelte'
