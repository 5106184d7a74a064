// What an automation does, as its plugin says it.
import type { AutomationStatus } from '../../../../../generated/validator/types.gen.ts'
import { t } from './language.ts'

/** A sentence; of an automation that says nothing of itself only the name is known. */
export function summaryOf({ summary }: Pick<AutomationStatus, 'summary'>): string {
  return summary ?? t('An automation that this server’s configuration has added.')
}
