// What went wrong, in words: the server's own reason where it gave one.
import { t } from './language.ts'

interface Refusal {
  readonly status: number
  readonly body: unknown
}

/** True where the server answered, with a status that is no success. */
export function isRefusal(error: unknown): error is Error & Refusal {
  return (
    error instanceof Error &&
    error.name === 'AnswerError' &&
    'status' in error &&
    typeof error.status === 'number'
  )
}

/** True where no answer came: the server is gone, or this machine is offline. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError
}

/**
 * True where what was asked for may have been done all the same: only asking again with the same
 * key is safe.
 */
export function isUncertain(error: unknown): boolean {
  return !isRefusal(error) || error.status === 429 || error.status >= 500
}

/** One sentence for a person. */
export function problemText(error: unknown): string {
  if (isUnreachable(error)) return t('The server does not answer. You can safely try again.')
  if (isRefusal(error))
    return reasonOf(error.body) ?? t('The server refused with {0}.', error.status)
  return error instanceof Error ? error.message : String(error)
}

/** Plain interfaces say `error`, the ledger `cause`. */
function reasonOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null) return undefined
  const said = 'error' in body ? body.error : 'cause' in body ? body.cause : undefined
  return typeof said === 'string' ? said : undefined
}
