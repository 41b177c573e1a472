import { isIPv6, SocketAddress } from 'node:net'

/** An address in its one spelling: an IPv4 address that is written as IPv6 (`::ffff:203.0.113.7`) as what it is. */
export function plainAddress(ip: string): string {
  if (!isIPv6(ip)) return ip
  const { address } = new SocketAddress({ address: ip.replace(/%.*$/, ''), family: 'ipv6' })
  return address.replace(/^::ffff:(?=[\d.]+$)/, '')
}

/** Under which a limit counts what pages of other sites make the browsers of a network send. */
export const fromElsewhere = (network: string) => `${network} from elsewhere`

/** What a limit by address counts: an IPv4 address, or the /64 that one household of IPv6 holds (api-contract §6.2). */
export function networkOf(ip: string): string {
  const plain = plainAddress(ip)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}
