// How far a stream has come that has let nothing through for a while: its reader can go on from
// there.
import type { OffsetCheckpointUpdate } from '../../../../generated/ledger/types.gen.ts'
import type { UpdateRecord } from '../../../store/store.ts'
import { timeText } from '../../../participant/time.ts'
import { CHECKPOINT_MS } from './reads.ts'

export class Checkpoints {
  #spokenMs = performance.now()

  /** Whether the reader should be told, given that it has or has not just got an element. */
  isDue(hasSpoken: boolean): boolean {
    const now = performance.now()
    const due = !hasSpoken && now - this.#spokenMs >= CHECKPOINT_MS
    if (hasSpoken || due) this.#spokenMs = now
    return due
  }
}

export function checkpointOf(
  { offset, recordTime }: UpdateRecord,
  synchronizerId: string,
): OffsetCheckpointUpdate {
  return {
    OffsetCheckpoint: {
      value: { offset, synchronizerTimes: [{ synchronizerId, recordTime: timeText(recordTime) }] },
    },
  }
}
