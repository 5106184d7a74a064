// The name service: its rules, and names that belong to parties until they expire. domain/wire.md
// §4.2
import { AnsEntry, AnsRules } from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { requireActor } from './requirements.ts'

/** The rules of the name service. */
export const ansRules = defineTemplate(AnsRules, {
  signatories: (rules) => [rules.dso],
  issuer: ({ dso }) => dso,
  keys: (rules) => ({ dso: rules.dso }),
})

/** A name of a party. Rank: when it expires. */
export const ansEntry = defineTemplate(AnsEntry, {
  signatories: (entry) => [entry.dso, entry.user],
  issuer: ({ dso }) => dso,
  keys: (entry) => ({ user: entry.user, name: entry.name }),
  rank: (entry) => entry.expiresAt,
})

/** Either of the two who signed removes a name that is over. */
export const ansEntryExpire = choice(ansEntry, AnsEntry.choices.AnsEntry_Expire, {
  controllers: (_entry, { actor }) => [actor],
  run: (tx: Tx, { payload: { dso, user, expiresAt } }, { actor }) => {
    requireActor(tx, actor, [dso, user])
    tx.notBefore(expiresAt)
    return {}
  },
})
