// Which addresses key sets may be fetched from. Whoever may register an identity provider names an
// address that this server then asks: without a limit, that would reach what only this server
// reaches.
import { BlockList, isIP } from 'node:net'

/** Everything that is not public unicast. IANA special-purpose registries, RFC 6890 */
const PRIVATE_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
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
 * Within 2000::/3, outside of which nothing is public. Translations and tunnels hide an IPv4
 * address.
 */
const PRIVATE_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
const PUBLIC_V6 = ['2000::/3']

const privateRanges = rangesOf([...PRIVATE_V4, ...PRIVATE_V6])
const publicV6 = rangesOf(PUBLIC_V6)

/** True where a connection to the IP address is fine. */
export type AddressRule = (address: string) => boolean

/**
 * `true` allows all, `false` public ones only, ranges such as `10.0.0.0/8` those as well. Throws
 * for what is no range.
 */
export function addressRule(allowed: boolean | readonly string[]): AddressRule {
  if (allowed === true) return (address) => isIP(address) !== 0
  const exceptions = rangesOf(allowed === false ? [] : allowed)
  return (address) => {
    const plain = unmapped(address)
    return isIP(plain) !== 0 && (contains(exceptions, plain) || isPublic(plain))
  }
}

function isPublic(address: string): boolean {
  if (contains(privateRanges, address)) return false
  return isIP(address) === 4 || contains(publicV6, address)
}

/** The IPv4 address behind `::ffff:a.b.c.d`, in either spelling; every other address as it is. */
function unmapped(address: string): string {
  if (isIP(address) !== 6) return address
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`)
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ?? []
  if (high === undefined || low === undefined) return address
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [first >> 8, first & 255, second >> 8, second & 255].join('.')
}

function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/')
    list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
