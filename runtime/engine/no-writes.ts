// A commit that writes nothing, to be filled.
import type { CommitWrites } from '../store/store.ts'

export const NO_WRITES: CommitWrites = {
  updates: [],
  creates: [],
  archives: [],
  assignments: [],
  commands: [],
  totals: [],
  accruals: [],
  logs: [],
  facts: [],
}
