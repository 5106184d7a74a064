// By which update a prepared transaction was committed: a fact under the hash that was signed
// outside. spec/scan.yaml
import type { Projector } from '../../engine/index.ts'
import type { Economy } from '../../economy/economy.ts'

const KIND = 'scan.signed-hash'
const HASH = /^[0-9a-f]{64,72}$/

/** Writes the update of each hash that was signed outside; both are pruned together. */
export const signedHashProjector: Projector = {
  project: ({ signedHash, updateId }) => ({
    logs: [],
    facts:
      signedHash === undefined
        ? []
        : [{ kind: KIND, key: signedHash, body: JSON.stringify(updateId), isPrunable: true }],
  }),
}

/** Id of the update with a hash, in hexadecimal of either case; undefined where none has it. */
export async function updateOfHash(
  { store: { contracts } }: Pick<Economy, 'store'>,
  hash: string,
): Promise<string | undefined> {
  const key = hash.toLowerCase()
  const fact = HASH.test(key) ? await contracts.fact(KIND, key) : undefined
  return fact === undefined ? undefined : readId(fact.body)
}

function readId(body: string): string {
  return JSON.parse(body)
}
