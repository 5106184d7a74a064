// Plays an episode of either adversary, on a store by name.
import { fileURLToPath } from 'node:url'
import type { Outcome } from '../drive/search.ts'
import { STORAGES } from '../support/storages.ts'
import type { StorageUnderTest } from '../support/storages.ts'
import type { Keys } from './driver/keys.ts'
import { playEpisode } from './episode.ts'
import { playReplay } from './replay/episode.ts'

type Storage = Omit<StorageUnderTest, 'name'> & { readonly name: string }

const LATE: Storage = {
  name: 'late',
  durable: false,
  section: async () => ({
    use: fileURLToPath(new URL('./driver/late-memory.ts', import.meta.url)),
  }),
  release: async () => {},
}

export interface Playing {
  readonly storage: Storage
  readonly keys: Keys
  /** The number of nodes. */
  readonly nodes: number
  /** The adversary of replay/ in place of the model. */
  readonly replay: boolean
  /** Everybody is tried for everything after so many steps. */
  readonly matrixEvery: number
}

/** The store of that name, or `late`. Throws RangeError for another name. */
export function storageNamed(name: string): Storage {
  const storage = [...STORAGES, LATE].find((each) => each.name === name)
  if (storage === undefined) throw new RangeError(`there is no store ${name}`)
  return storage
}

/** Plays drafts, each on fresh data. */
export function playWith({
  storage: { section, durable: isDurable },
  replay,
  ...setting
}: Playing): (drafts: readonly number[]) => Promise<Outcome> {
  return async (drafts) =>
    replay
      ? playReplay({ drafts, nodes: setting.nodes, storage: section })
      : playEpisode({ ...setting, drafts, isDurable, storage: await section() })
}
