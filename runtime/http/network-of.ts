// The network of an address, for limits that count by network.
import { isIPv6 } from 'node:net'

const GROUPS = 8
const NETWORK_GROUPS = 4

/** The address itself, or of version 6 its first 64 bits: as much as one customer gets. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  return isIPv6(address) ? `${groupsOf(address).slice(0, NETWORK_GROUPS).join(':')}::` : address
}

function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = address.split('::')
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from(
    { length: Math.max(0, GROUPS - (before?.length ?? 0) - (after?.length ?? 0)) },
    () => '0',
  )
  return [...(before ?? []), ...zeros, ...(after ?? [])]
}
