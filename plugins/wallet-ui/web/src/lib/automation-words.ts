// What an automation does, as its plugin says it; those that come with the server also in the
// language of the page.
import type { AutomationStatus } from '../../../../../generated/validator/types.gen.ts'
import { t } from './language.ts'

/** A sentence; of an automation that says nothing of itself only the name is known. */
export function summaryOf({ summary }: Pick<AutomationStatus, 'summary'>): string {
  return summary === undefined
    ? t('An automation that this server’s configuration has added.')
    : t(summary)
}
