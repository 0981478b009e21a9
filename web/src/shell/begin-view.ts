import { address } from '../address/index.ts'
import { loadExplorer } from '../api/index.ts'
import { findRoute } from './views.ts'

/**
 * Has the view of the address and its first data on their way while what is around it is still made. Call
 * it once somebody may ask. Whatever fails, the view meets it again and says so.
 */
export function beginView(): void {
  const leave = () => undefined
  loadExplorer().catch(leave)
  findRoute(address.path)?.route.load(address.search).catch(leave)
}
