import { isIPv6 } from 'node:net'

/** What is counted as one address: whoever has one of IPv6 usually has its whole /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const embedded = /^::ffff:(?<v4>[\d.]+)$/i.exec(address)?.groups?.['v4']
  if (embedded !== undefined) return embedded
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...after]
  return all.slice(0, 4).join(':')
}
