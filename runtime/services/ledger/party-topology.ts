// What is kept of an outside party's topology, to verify its signatures later: keys, thresholds, hosts. domain/ledger.md §5.4
import type { VerifiedOnboarding } from './topology/allocate.ts'

/** As JSON text; byte fields are base64. */
export function topologyText({ keys, keyThreshold, participants, confirmationThreshold }: VerifiedOnboarding): string {
  return JSON.stringify({
    keys: keys.map(({ format, spec, bytes, fingerprint, usages }) => ({
      format, spec, key: Buffer.from(bytes).toString('base64'), fingerprint, usages,
    })),
    keyThreshold,
    participants,
    confirmationThreshold,
  })
}
