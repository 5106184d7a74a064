import { AnswerError, createClient, orThrow } from 'ledgerwright/client/validator'

/** What a wallet has; undefined for a user without one. For pages and programs. */
export async function balance(token, baseUrl = '/api/validator') {
  try {
    return (await orThrow(createClient({ baseUrl, token })).getBalance()).effective_unlocked_qty
  } catch (error) {
    if (error instanceof AnswerError && error.status === 404) return undefined
    throw error
  }
}
