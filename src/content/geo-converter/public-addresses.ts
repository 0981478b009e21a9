import { BlockList, isIP } from 'node:net'

/** IPv4 that leads nowhere, into a network, or to many (IANA special-purpose registry, RFC 6890). */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // The metadata service of Azure, which no registry names.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/**
 * All that is handed out of IPv6 to the public. Loopback, unique local and link-local addresses,
 * multicast, IPv4 inside of IPv6 (`::ffff:0:0/96`) and NAT64 (`64:ff9b::/96`) lie outside of it.
 */
const global6 = ['2000::/3']

/** Within that: Teredo and others of the IETF, documentation, and 6to4, which holds an IPv4 address. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const blocked4 = listOf('ipv4', special4)
const allowed6 = listOf('ipv6', global6)
const blocked6 = listOf('ipv6', special6)

/** Whether an address is one of the public internet. Anything that is not an address is not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !blocked4.check(address, 'ipv4')
    case 6:
      // A zone leads to a network of this very machine.
      if (address.includes('%')) return false
      return allowed6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6')
    default:
      return false
  }
}

function listOf(type: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix = ''] = range.split('/')
    list.addSubnet(network, Number(prefix), type)
  }
  return list
}
