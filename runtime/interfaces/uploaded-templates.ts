// The templates of uploaded packages, which the engine of a ledger takes beside those in code.
// docs/decisions/0056-packages-that-run.md
import type { Economy } from '../economy/economy.ts'
import { VettedEverywhere } from '../economy/network/vetted-everywhere.ts'
import { UploadedTemplates } from '../packages/templates/source.ts'
import { OWN_WORDS } from '../participant/interactive/wire-words.ts'
import { ownPackages } from '../participant/packages/own-packages.ts'
import type { ServiceOptions } from './parts.ts'
import type { ServiceSettings } from './settings.ts'

/** The uploaded templates of all nodes; whether a node has vetted one is asked when it is used. */
export function uploadedTemplates(
  { store, words = OWN_WORDS }: ServiceOptions,
  limits: ServiceSettings['evaluation'],
  economy: () => Economy,
): UploadedTemplates {
  const inCode = ownPackages(words)
  const everywhere = new VettedEverywhere({ store, inCode, economy })
  const unvetted: VettedEverywhere['missing'] = (uses) => everywhere.missing(uses)
  return new UploadedTemplates({ packages: store.packages, inCode, limits, unvetted })
}
