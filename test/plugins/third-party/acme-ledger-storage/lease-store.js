// Leases of the JSON file: in memory only, since nobody else has the file open, and a lease must
// not outlive its process.

/** @import { LeaseStore } from 'ledgerwright' */
/** @import { Access } from './json-store.js' */
/** @typedef {{ holder: string, end: number }} Term */
/** @typedef {{ term: Term, wish: Term }} Lease */

const OVER = { holder: '', end: 0 }

/**
 * @param {Access} read
 * @returns {LeaseStore}
 */
export function leaseStore(read) {
  /** @type {Map<string, Lease>} */
  const leases = new Map()
  /** @type {(name: string, holder: string) => Lease | undefined} */
  const held = (name, holder) => {
    const lease = leases.get(name)
    return lease !== undefined && lease.term.holder === holder && lasts(lease.term)
      ? lease
      : undefined
  }
  return {
    take: (name, holder, forMs) =>
      read([name, holder], () => {
        const lease = leases.get(name) ?? { term: OVER, wish: OVER }
        leases.set(name, lease)
        const asked = { holder, end: Date.now() + forMs }
        if (lease.term.holder === holder || !lasts(lease.term)) {
          lease.term = asked
          if (lease.wish.holder === holder) lease.wish = OVER
          return lasts(lease.wish) ? 'wanted' : 'held'
        }
        if (lease.wish.holder === holder || !lasts(lease.wish)) lease.wish = asked
        return 'taken'
      }),
    prolong: (names, holder, forMs) =>
      read([holder, ...names], () =>
        names.filter((name, at) => {
          const lease = names.indexOf(name) === at ? held(name, holder) : undefined
          if (lease !== undefined) lease.term = { holder, end: Date.now() + forMs }
          return lease !== undefined
        }),
      ),
    wanted: (holder) =>
      read([holder], () =>
        [...leases.keys()].filter((name) => {
          const lease = held(name, holder)
          return lease !== undefined && lasts(lease.wish)
        }),
      ),
    pass: (name, holder, forMs) =>
      read([name, holder], () => {
        const lease = held(name, holder)
        if (lease === undefined) return
        lease.term = lasts(lease.wish)
          ? { holder: lease.wish.holder, end: Date.now() + forMs }
          : OVER
        lease.wish = OVER
      }),
  }
}

/** @param {Term} term */
function lasts({ end }) {
  return end > Date.now()
}
