// Updates that several streams show are decoded once, and who sees anything of them is found out
// once: that takes longer than to choose what each shows of them.
import { decodeUpdate } from '../../../engine/index.ts'
import type { StoredUpdate } from '../../../engine/index.ts'
import type { UpdateRecord } from '../../../store/store.ts'

const DECODED = new WeakMap<UpdateRecord, StoredUpdate>()
const WITNESSES = new WeakMap<UpdateRecord, ReadonlySet<string>>()

/** What an update says; decoded once for all readers of its page. */
export function decodedOnce(record: UpdateRecord): StoredUpdate {
  const known = DECODED.get(record)
  if (known !== undefined) return known
  const update = decodeUpdate(record.body)
  DECODED.set(record, update)
  return update
}

/**
 * Who sees any event of a transaction; undefined for a reassignment, which its contract's
 * stakeholders see.
 */
export function witnessesOf(record: UpdateRecord): ReadonlySet<string> | undefined {
  const known = WITNESSES.get(record)
  if (known !== undefined) return known
  const update = decodedOnce(record)
  if (update.kind === 'reassignment') return undefined
  const witnesses = new Set(update.transaction.events.flatMap((event) => event.witnesses))
  WITNESSES.set(record, witnesses)
  return witnesses
}
