// What the person may do besides using a wallet: the pages for administrators are for these alone.
import { ledger, validator } from './wallet.tsx'

interface Rights {
  /** False until the ledger has said it. */
  readonly isKnown: boolean
  /** Administers this node: users and parties of the ledger. */
  readonly isOperator: boolean
  /**
   * Is the validator's own user besides, as onboarding, automations and preapprovals of others ask
   * for.
   */
  readonly runsValidator: boolean
}

const SELDOM_MS = 30_000

/** The ledger tells every user of its own rights. */
export function useRights(): Rights {
  const me = ledger.useQuery('getAuthenticatedUser', {}, { refetchInterval: SELDOM_MS })
  const { id = '', primaryParty = '' } = me.data?.user ?? {}
  const held = ledger.useQuery(
    'listUserRights',
    { path: { 'user-id': id } },
    { enabled: id !== '', refetchInterval: SELDOM_MS },
  )
  const kinds = (held.data?.rights ?? []).map(({ kind }) => kind)
  const isOperator = kinds.some((kind) => 'ParticipantAdmin' in kind)
  const operator = useValidatorUser(isOperator).data?.party_id
  const mayAct = kinds.some((kind) => 'CanActAs' in kind && kind.CanActAs.value.party === operator)
  return {
    isKnown: held.data !== undefined || held.error !== null || me.error !== null,
    isOperator,
    runsValidator: isOperator && primaryParty !== '' && primaryParty === operator && mayAct,
  }
}

/** The user and the party that run this validator. */
export function useValidatorUser(enabled = true): validator.QueryResult<'getValidatorUserInfo'> {
  return validator.useQuery('getValidatorUserInfo', {}, { enabled, refetchInterval: SELDOM_MS })
}
