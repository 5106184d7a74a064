// The smallest commit there is: one update, with whatever else a test does while it holds the
// ledger.
import type { Commit } from '../../runtime/store/store.ts'

export function recordUpdate(updateId: string, meanwhile: () => void): Commit<void> {
  return {
    reads: { contractIds: [], commandKeys: [], facts: [] },
    decide: ({ end: { offset, recordTime } }) => {
      meanwhile()
      const update = { offset: offset + 1n, updateId, recordTime: recordTime + 1n, body: '{}' }
      const none = {
        creates: [],
        archives: [],
        assignments: [],
        commands: [],
        totals: [],
        accruals: [],
        logs: [],
        facts: [],
      }
      return { writes: { updates: [update], ...none }, result: undefined }
    },
  }
}
