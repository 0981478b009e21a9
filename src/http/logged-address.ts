import { isIPv4 } from 'node:net'
import { networkOf } from './network-of.ts'

/** How much of the addresses of clients is logged (`HUB_LOG_ADDRESSES`). */
export type AddressDetail = 'full' | 'shortened' | 'none'

/** The address of a client as it is logged; shortened it is that of a network: /24, or /48 of IPv6. */
export function loggedAddress(address: string, detail: AddressDetail): string | undefined {
  if (detail === 'none' || address === '') return undefined
  if (detail === 'full') return address
  const network = networkOf(address)
  if (isIPv4(network)) return network.replace(/\d+$/, '0')
  return `${network.split(':').slice(0, 3).join(':')}::`
}
