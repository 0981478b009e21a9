export { default as View } from './LoginView.svelte'
