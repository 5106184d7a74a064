// Updates that several streams show are decoded once, and who sees anything of them is found out
// once: that takes longer than to choose what each shows of them.
import { decodeUpdate, seersOf } from '../../../engine/index.ts'
import type { StoredUpdate } from '../../../engine/index.ts'
import type { UpdateRecord } from '../../../store/store.ts'

const DECODED = new WeakMap<UpdateRecord, StoredUpdate>()
const SEERS = new WeakMap<UpdateRecord, ReadonlySet<string>>()

/** An update's content; decoded once for all readers of its page. */
export function decodedOnce(record: UpdateRecord): StoredUpdate {
  const known = DECODED.get(record)
  if (known !== undefined) return known
  const update = decodeUpdate(record.body)
  DECODED.set(record, update)
  return update
}

/** The same as `seersOf`, found out once; undefined for a reassignment, which stakeholders see. */
export function seersOnce(record: UpdateRecord): ReadonlySet<string> | undefined {
  const known = SEERS.get(record)
  if (known !== undefined) return known
  const update = decodedOnce(record)
  if (update.kind === 'reassignment') return undefined
  const seers = seersOf(update.transaction)
  SEERS.set(record, seers)
  return seers
}
