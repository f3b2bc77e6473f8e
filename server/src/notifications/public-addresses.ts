import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'

// What other people name must not lead our requests into networks that only we can reach. The ranges are those that IANA's
// registries of special-purpose addresses do not hold for globally reachable.

const special = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(network, bits, 'ipv4')
// Tunnels carry IPv4 addresses within, which may be anything.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, bits, 'ipv6')

const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) return global.check(address, 'ipv6') && !special.check(address, 'ipv6')
  return isIP(address) === 4 && !special.check(address, 'ipv4')
}

export type Resolve = (host: string) => Promise<string[]>

/**
 * All addresses of a host, by the network's name servers. Not `dns.lookup`: its threads are few and shared with files and
 * passwords, and a name server that is slow on purpose would hold them.
 */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
