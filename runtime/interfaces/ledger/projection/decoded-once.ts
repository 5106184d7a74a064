// Updates that several streams show are decoded once: it takes longer than to choose what each
// shows of them.
import { decodeUpdate } from '../../../engine/index.ts'
import type { StoredUpdate } from '../../../engine/index.ts'
import type { UpdateRecord } from '../../../store/store.ts'

const DECODED = new WeakMap<UpdateRecord, StoredUpdate>()

/** What an update says; decoded once for all readers of its page. */
export function decodedOnce(record: UpdateRecord): StoredUpdate {
  const known = DECODED.get(record)
  if (known !== undefined) return known
  const update = decodeUpdate(record.body)
  DECODED.set(record, update)
  return update
}
