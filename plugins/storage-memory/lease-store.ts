// Leases in memory: of use where one process has several services on one store, and as the model of
// the rules.
import { checker } from './tables.ts'
import type { LeaseStore } from '../../runtime/index.ts'
import type { Lease, Tables } from './tables.ts'

const FREE: Lease = { holder: '', endsAt: 0, wisher: '', wishEndsAt: 0 }

export function leaseStore(tables: Tables): LeaseStore {
  const { leases } = tables
  const check = checker(tables)
  const held = (name: string, holder: string, now: number): Lease | undefined => {
    const lease = leases.get(name)
    return lease !== undefined && lease.holder === holder && lease.endsAt > now ? lease : undefined
  }
  return {
    take: async (name, holder, forMs) => {
      check(name, holder)
      const now = performance.now()
      const lease = taken(leases.get(name) ?? FREE, { holder, now, forMs })
      leases.set(name, lease)
      if (lease.holder !== holder) return 'taken'
      return isWanted(lease, now) ? 'wanted' : 'held'
    },
    prolong: async (names, holder, forMs) => {
      check(holder, ...names)
      const now = performance.now()
      return [...new Set(names)].filter((name) => {
        const lease = held(name, holder, now)
        if (lease !== undefined) leases.set(name, { ...lease, endsAt: now + forMs })
        return lease !== undefined
      })
    },
    wanted: async (holder) => {
      check(holder)
      const now = performance.now()
      return [...leases.keys()].filter((name) => {
        const lease = held(name, holder, now)
        return lease !== undefined && isWanted(lease, now)
      })
    },
    pass: async (name, holder, forMs) => {
      check(name, holder)
      const now = performance.now()
      const lease = held(name, holder, now)
      if (lease === undefined) return
      if (isWanted(lease, now))
        leases.set(name, { ...FREE, holder: lease.wisher, endsAt: now + forMs })
      else leases.delete(name)
    },
  }
}

interface Asked {
  readonly holder: string
  readonly now: number
  readonly forMs: number
}

function taken(lease: Lease, { holder, now, forMs }: Asked): Lease {
  if (lease.holder === holder || lease.endsAt <= now) {
    const wish = lease.wisher === holder ? FREE : lease
    return { holder, endsAt: now + forMs, wisher: wish.wisher, wishEndsAt: wish.wishEndsAt }
  }
  const isOthers = isWanted(lease, now) && lease.wisher !== holder
  return isOthers ? lease : { ...lease, wisher: holder, wishEndsAt: now + forMs }
}

function isWanted({ wishEndsAt }: Lease, now: number): boolean {
  return wishEndsAt > now
}
